// Checks containers before an engine unpacks them, because engines trust what they read: encryption, zip bombs, sizes,
// checksums and cyclic chains.
import { ServiceError } from '../../../contracts/errors/errors.ts';
import type { SourceFile } from '../../../page/parsed.ts';
import { checkOle, oleNames } from '../../container/ole.ts';
import { openZip } from '../../container/zip.ts';
import { readZipDirectory } from '../../container/zip-directory.ts';
import { OLE_KINDS, ZIP_KINDS } from '../../detect/container-kind.ts';

/** Only these are checked: a picture with a wrong checksum does not prevent parsing. */
const CHECKED_PARTS = /\.(?:xml|rels|bin)$/i;

/** Throws DOCUMENT_DAMAGED, DOCUMENT_ENCRYPTED, DOCUMENT_TOO_COMPLEX. */
export function checkFile({ kind, bytes }: SourceFile): void {
  if (OLE_KINDS.has(kind)) checkOle(bytes);
  if (!ZIP_KINDS.has(kind)) return;
  if (oleNames(bytes)?.includes('EncryptedPackage')) throw new ServiceError('DOCUMENT_ENCRYPTED');
  if (readZipDirectory(bytes).some(({ isEncrypted }) => isEncrypted)) throw new ServiceError('DOCUMENT_ENCRYPTED');
  const archive = openZip(bytes);
  if (isEncryptedOpenDocument(archive.read('META-INF/manifest.xml'))) throw new ServiceError('DOCUMENT_ENCRYPTED');
  // The EPUB parser enforces the same limits and unpacks only what it needs.
  if (kind === 'epub') return;
  for (const name of archive.names) if (CHECKED_PARTS.test(name)) archive.read(name);
}

const isEncryptedOpenDocument = (manifest: Uint8Array | undefined): boolean =>
  manifest !== undefined && Buffer.from(manifest).includes('encryption-data');

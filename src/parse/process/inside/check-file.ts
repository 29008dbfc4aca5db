// What is checked of every container before an engine sees it, since engines unpack by themselves and trust what they read:
// protection, bombs, sizes, checksums and circles.
import { ServiceError } from '../../../contracts/errors.ts';
import type { DocumentFile } from '../../../contracts/parsed.ts';
import { checkOle, oleNames } from '../../container/ole.ts';
import { openArchive } from '../../container/zip.ts';
import { readDirectory } from '../../container/zip-directory.ts';
import { ARCHIVE_KINDS, OLE_KINDS } from '../../detect/container-kind.ts';

/** A picture with a wrong checksum does not keep anybody from reading. */
const READ_PARTS = /\.(?:xml|rels|bin)$/i;

/** Throws DOCUMENT_DAMAGED, DOCUMENT_ENCRYPTED, DOCUMENT_TOO_COMPLEX. */
export function checkFile({ kind, bytes }: DocumentFile): void {
  if (OLE_KINDS.has(kind)) checkOle(bytes);
  if (!ARCHIVE_KINDS.has(kind)) return;
  if (oleNames(bytes)?.includes('EncryptedPackage')) throw new ServiceError('DOCUMENT_ENCRYPTED');
  if (readDirectory(bytes).some(({ isEncrypted }) => isEncrypted)) throw new ServiceError('DOCUMENT_ENCRYPTED');
  const archive = openArchive(bytes);
  if (isEncryptedOpenDocument(archive.read('META-INF/manifest.xml'))) throw new ServiceError('DOCUMENT_ENCRYPTED');
  // The parser of e-books unpacks with the same limits, and only what it needs.
  if (kind === 'epub') return;
  for (const name of archive.names) if (READ_PARTS.test(name)) archive.read(name);
}

const isEncryptedOpenDocument = (manifest: Uint8Array | undefined): boolean =>
  manifest !== undefined && Buffer.from(manifest).includes('encryption-data');

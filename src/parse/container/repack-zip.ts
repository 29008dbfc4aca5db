// Rewrites a zip without compression from entries that were unpacked within limits and verified, so that engines with
// their own unzip code cannot be attacked by compressed data.

import { createZipWriter } from '../../archive/zip-writer.ts';
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { ZipArchive } from './zip.ts';

/** Nobody reads when the entries were changed. */
const NO_DATE = new Date(0);
const STRUCTURE = /\.(?:xml|rels|bin)$|^mimetype$/i;

/** `replaced`: new content of entries by name; undefined drops an entry. */
export function repackZip(archive: ZipArchive, replaced: ReadonlyMap<string, Uint8Array | undefined>): Uint8Array {
  const zip = createZipWriter(NO_DATE);
  const parts = archive.names.flatMap((name) => {
    const content = replaced.has(name) ? replaced.get(name) : readEntry(archive, name);
    return content ? zip.addStored(name, content) : [];
  });
  return Buffer.concat([...parts, ...zip.end()]);
}

/** A damaged picture is dropped; the text can still be parsed. */
function readEntry(archive: ZipArchive, name: string): Uint8Array | undefined {
  try {
    return archive.read(name);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'DOCUMENT_DAMAGED' && !STRUCTURE.test(name)) return undefined;
    throw error;
  }
}

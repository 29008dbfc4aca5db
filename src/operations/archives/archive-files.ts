// What an uploaded archive consists of: one file of records, or the files of a WACZ with what its list of pages says.
import { createHash } from 'node:crypto';
import { ServiceError } from '../../contracts/errors/errors.ts';
import { openZip, type ZipArchive } from '../../parse/container/zip.ts';

export interface ArchiveFiles {
  files: { name: string; read(): Uint8Array }[];
  /** The titles of pages, by their URLs; undefined if there is no list. */
  titles: ReadonlyMap<string, string> | undefined;
  warnings: string[];
}

const RECORDS = /^archive\/[^/]+\.warc(?:\.gz)?$/i;
const MAX_PAGES = 100_000;
const MAX_TITLE = 1_000;
const startsWith = (bytes: Uint8Array, ...start: number[]) => start.every((byte, at) => bytes[at] === byte);

/** Throws UNSUPPORTED_FILE_TYPE, and what is said of a damaged or hostile ZIP. */
export function openArchiveFiles(bytes: Uint8Array, name: string): ArchiveFiles {
  if (startsWith(bytes, 0x50, 0x4b, 0x03, 0x04)) return openWacz(openZip(bytes));
  const isRecords = startsWith(bytes, 0x1f, 0x8b) || Buffer.from(bytes.subarray(0, 5)).toString() === 'WARC/';
  if (isRecords) return { files: [{ name, read: () => bytes }], titles: undefined, warnings: [] };
  throw new ServiceError('UNSUPPORTED_FILE_TYPE', {
    message: 'The file is no web archive. Send a .wacz, a .warc or a .warc.gz file.',
  });
}

function openWacz(zip: ZipArchive): ArchiveFiles {
  const names = zip.names.filter((name) => RECORDS.test(name)).toSorted();
  if (names.length === 0)
    throw new ServiceError('UNSUPPORTED_FILE_TYPE', {
      message: 'The ZIP file has no web archive in its folder `archive`. Send a .wacz, a .warc or a .warc.gz file.',
    });
  const warnings: string[] = [];
  const listed = listedDigests(zip, warnings);
  const read = (name: string) => {
    const bytes = zip.read(name)!;
    const digest = listed.get(name);
    if (digest !== undefined && digest !== digestOf(bytes))
      warnings.push(`The digest of ${name} is wrong: it may have been changed since the archive was made.`);
    return bytes;
  };
  const titles = readTitles(zip, warnings);
  return { files: names.map((name) => ({ name, read: () => read(name) })), titles, warnings };
}

const digestOf = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** As `datapackage.json` has them, if its own digest is right or absent. */
function listedDigests(zip: ZipArchive, warnings: string[]): Map<string, string> {
  const bytes = optional(() => zip.read('datapackage.json'));
  const own = optional(() => JSON.parse(textOf(zip.read('datapackage-digest.json'))) as { hash?: unknown } | null);
  if (bytes && typeof own?.hash === 'string' && own.hash !== digestOf(bytes))
    warnings.push('The digest of datapackage.json is wrong: it may have been changed since the archive was made.');
  const listed = optional(() => (JSON.parse(textOf(bytes)) as { resources?: unknown } | null)?.resources);
  const resources = Array.isArray(listed) ? listed : [];
  return new Map(
    resources.flatMap((resource: { path?: unknown; hash?: unknown } | null): [string, string][] =>
      typeof resource?.path === 'string' && typeof resource.hash === 'string' ? [[resource.path, resource.hash]] : [],
    ),
  );
}

function readTitles(zip: ZipArchive, warnings: string[]): Map<string, string> | undefined {
  if (!zip.has('pages/pages.jsonl')) return undefined;
  const text = optional(() => textOf(zip.read('pages/pages.jsonl')));
  if (text === undefined) {
    warnings.push('The list of pages could not be read.');
    return undefined;
  }
  const titles = new Map<string, string>();
  for (const line of text.split('\n', MAX_PAGES)) {
    const page = optional(() => JSON.parse(line) as { url?: unknown; title?: unknown } | null);
    const url = typeof page?.url === 'string' ? URL.parse(page.url) : null;
    if (!url) continue;
    url.hash = '';
    titles.set(url.href, typeof page?.title === 'string' ? page.title.slice(0, MAX_TITLE) : '');
  }
  return titles;
}

const textOf = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString();

/** What is only about the records may be damaged. */
function optional<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

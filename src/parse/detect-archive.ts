// Which document a zip or an OLE file is: both are only containers, and the names inside tell.
import type { DocumentKind } from '../contracts/parsed.ts';
import { openArchive } from './archive.ts';
import { type ArchiveEntry, LOCAL_SIZE, readDirectory } from './archive-directory.ts';
import { oleNames } from './ole.ts';

// Longer than the list of parts of any real file; detection runs where requests are answered.
const MAX_LIST_BYTES = 1024 * 1024;
const HEAD_BYTES = 256 * 1024;

const MAIN_TYPES: readonly [pattern: RegExp, kind: DocumentKind][] = [
  [/ms-excel\.sheet\.binary\.macroEnabled\.main/i, 'xlsb'],
  [/wordprocessingml\.(?:document|template)\.main/i, 'docx'],
  [/ms-word\.(?:document|template)\.macroEnabled(?:Template)?\.main/i, 'docx'],
  [/spreadsheetml\.(?:sheet|template)\.main|ms-excel\.(?:sheet|template|addin)\.macroEnabled\.main/i, 'xlsx'],
  [/presentationml\.(?:presentation|slideshow|template)\.main/i, 'pptx'],
  [/ms-powerpoint\.(?:presentation|slideshow|template)\.macroEnabled\.main/i, 'pptx'],
];

const MAIN_PARTS: readonly [name: string, kind: DocumentKind][] = [
  ['word/document.xml', 'docx'],
  ['xl/workbook.bin', 'xlsb'],
  ['xl/workbook.xml', 'xlsx'],
  ['ppt/presentation.xml', 'pptx'],
  ['META-INF/container.xml', 'epub'],
];

const MIME_TYPES: readonly [start: string, kind: DocumentKind][] = [
  ['application/epub+zip', 'epub'],
  ['application/vnd.oasis.opendocument.text', 'odt'],
  ['application/vnd.oasis.opendocument.spreadsheet', 'ods'],
  ['application/vnd.oasis.opendocument.presentation', 'odp'],
];

/** Of a zip. `claimed` is asked only for what every OpenDocument file has. */
export function archiveKind(bytes: Uint8Array, claimed: DocumentKind | undefined): DocumentKind | undefined {
  const entries = listEntries(bytes);
  const names = new Set(entries.map(({ name }) => name));
  const small = (name: string) => entries.some((entry) => entry.name === name && entry.size <= MAX_LIST_BYTES);
  const read = (name: string) => (small(name) ? readText(bytes, name) : '');

  const mimeType = read('mimetype').trim();
  const byMimeType = MIME_TYPES.find(([start]) => mimeType.startsWith(start));
  if (byMimeType) return byMimeType[1];
  const types = read('[Content_Types].xml');
  const byMainType = MAIN_TYPES.find(([pattern]) => pattern.test(types));
  if (byMainType) return byMainType[1];
  const byPart = MAIN_PARTS.find(([name]) => names.has(name));
  if (byPart) return byPart[1];
  const isOpenDocument = names.has('META-INF/manifest.xml') && names.has('content.xml');
  return isOpenDocument && (claimed === 'ods' || claimed === 'odp') ? claimed : isOpenDocument ? 'odt' : undefined;
}

/** Of an OLE file. An encrypted office document is one whatever it holds. */
export function oleKind(bytes: Uint8Array, claimed: DocumentKind | undefined): DocumentKind | undefined {
  const names = new Set(oleNames(bytes));
  if (names.has('EncryptedPackage')) return claimed === 'xlsx' || claimed === 'pptx' ? claimed : 'docx';
  if (names.has('WordDocument')) return 'doc';
  if (names.has('PowerPoint Document')) return 'ppt';
  if (names.has('Workbook') || names.has('Book')) return 'xls';
  if ([...names].some((name) => /^__(?:properties_version1\.0|substg1\.0|nameid_version1\.0)/.test(name))) return 'msg';
  // Its directory is gone: the name is all there is.
  return names.size === 0 && claimed && ['doc', 'xls', 'ppt', 'msg'].includes(claimed) ? claimed : undefined;
}

/** Of a zip that cannot be read the headers before its files still tell what it was, for a clear refusal. */
function listEntries(bytes: Uint8Array): Pick<ArchiveEntry, 'name' | 'size'>[] {
  try {
    return readDirectory(bytes);
  } catch {
    return namesInHead(bytes).map((name) => ({ name, size: Number.POSITIVE_INFINITY }));
  }
}

function namesInHead(bytes: Uint8Array): string[] {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, HEAD_BYTES));
  const names: string[] = [];
  for (let at = head.indexOf('PK\x03\x04'); at >= 0; at = head.indexOf('PK\x03\x04', at + 4)) {
    if (at + LOCAL_SIZE > head.length) break;
    const start = at + LOCAL_SIZE;
    names.push(head.toString('utf8', start, start + head.readUInt16LE(at + 26)));
  }
  return names;
}

function readText(bytes: Uint8Array, name: string): string {
  try {
    return Buffer.from(openArchive(bytes).read(name) ?? []).toString('utf8');
  } catch {
    return '';
  }
}

// Detects the kind of a zip or OLE file by the names of the entries inside.
import type { FileKind } from '../../page/parsed.ts';
import { oleNames } from '../container/ole.ts';
import { openZip } from '../container/zip.ts';
import { LOCAL_SIZE, readZipDirectory, type ZipEntry } from '../container/zip-directory.ts';

// Larger than any real list of parts. Bounded, because detection runs on the main thread.
const MAX_LIST_BYTES = 1024 * 1024;
const HEAD_BYTES = 256 * 1024;

export const OLE_KINDS: ReadonlySet<FileKind> = new Set(['doc', 'xls', 'ppt', 'msg']);
export const ZIP_KINDS: ReadonlySet<FileKind> = new Set(['docx', 'xlsx', 'xlsb', 'pptx', 'odt', 'ods', 'odp', 'epub']);

const MAIN_TYPES: readonly [pattern: RegExp, kind: FileKind][] = [
  [/ms-excel\.sheet\.binary\.macroEnabled\.main/i, 'xlsb'],
  [/wordprocessingml\.(?:document|template)\.main/i, 'docx'],
  [/ms-word\.(?:document|template)\.macroEnabled(?:Template)?\.main/i, 'docx'],
  [/spreadsheetml\.(?:sheet|template)\.main|ms-excel\.(?:sheet|template|addin)\.macroEnabled\.main/i, 'xlsx'],
  [/presentationml\.(?:presentation|slideshow|template)\.main/i, 'pptx'],
  [/ms-powerpoint\.(?:presentation|slideshow|template)\.macroEnabled\.main/i, 'pptx'],
];

const MAIN_PARTS: readonly [name: string, kind: FileKind][] = [
  ['word/document.xml', 'docx'],
  ['xl/workbook.bin', 'xlsb'],
  ['xl/workbook.xml', 'xlsx'],
  ['ppt/presentation.xml', 'pptx'],
  ['META-INF/container.xml', 'epub'],
];

const MIME_TYPES: readonly [start: string, kind: FileKind][] = [
  ['application/epub+zip', 'epub'],
  ['application/vnd.oasis.opendocument.text', 'odt'],
  ['application/vnd.oasis.opendocument.spreadsheet', 'ods'],
  ['application/vnd.oasis.opendocument.presentation', 'odp'],
];

/** `claimed` decides between the OpenDocument kinds when there is no mimetype entry, and for damaged zips. */
export function zipKind(bytes: Uint8Array, claimed: FileKind | undefined): FileKind | undefined {
  const { entries, isDamaged } = listEntries(bytes);
  const names = new Set(entries.map(({ name }) => name));
  const isSmall = (name: string) => entries.some((entry) => entry.name === name && entry.size <= MAX_LIST_BYTES);
  const read = (name: string) => (isSmall(name) ? readText(bytes, name) : '');

  const mimeType = isDamaged ? firstMimeType(bytes) : read('mimetype').trim();
  const types = read('[Content_Types].xml');
  const found =
    MIME_TYPES.find(([start]) => mimeType.startsWith(start)) ??
    MAIN_TYPES.find(([pattern]) => pattern.test(types)) ??
    MAIN_PARTS.find(([name]) => names.has(name));
  if (found) return found[1];
  const isOpenDocument = names.has('META-INF/manifest.xml') && names.has('content.xml');
  if (isOpenDocument) return claimed === 'ods' || claimed === 'odp' ? claimed : 'odt';
  return isDamaged && claimed && ZIP_KINDS.has(claimed) ? claimed : undefined;
}

/** An encrypted OOXML file is an OLE file too, whatever its format. */
export function oleKind(bytes: Uint8Array, claimed: FileKind | undefined): FileKind | undefined {
  const names = new Set(oleNames(bytes));
  if (names.has('EncryptedPackage')) return claimed === 'xlsx' || claimed === 'pptx' ? claimed : 'docx';
  if (names.has('WordDocument')) return 'doc';
  if (names.has('PowerPoint Document')) return 'ppt';
  if (names.has('Workbook') || names.has('Book')) return 'xls';
  if ([...names].some((name) => /^__(?:properties_version1\.0|substg1\.0|nameid_version1\.0)/.test(name))) return 'msg';
  // The directory may be damaged; then only the file name is left.
  return claimed && OLE_KINDS.has(claimed) ? claimed : undefined;
}

/** For an unreadable zip, the local headers still identify the kind, so that the error can be specific. */
function listEntries(bytes: Uint8Array): { entries: Pick<ZipEntry, 'name' | 'size'>[]; isDamaged: boolean } {
  try {
    return { entries: readZipDirectory(bytes), isDamaged: false };
  } catch {
    const entries = namesInHead(bytes).map((name) => ({ name, size: Number.POSITIVE_INFINITY }));
    return { entries, isDamaged: true };
  }
}

/** OpenDocument and EPUB store the media type uncompressed as the first entry. */
function firstMimeType(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 256)).toString('latin1');
  return head.startsWith('mimetype', LOCAL_SIZE) ? head.slice(LOCAL_SIZE + 'mimetype'.length) : '';
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
    return Buffer.from(openZip(bytes).read(name) ?? []).toString('utf8');
  } catch {
    return '';
  }
}

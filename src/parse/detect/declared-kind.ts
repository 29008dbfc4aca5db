// The kind of a file according to its name and declared type; used only where the bytes are ambiguous.
import { FILE_KINDS, type FileKind } from '../../contracts/parsed.ts';

const BY_EXTENSION: ReadonlyMap<string, FileKind> = new Map([
  ...FILE_KINDS.filter((kind) => kind !== 'image').map((kind): [string, FileKind] => [kind, kind]),
  ...['docm', 'dotx', 'dotm'].map((name): [string, FileKind] => [name, 'docx']),
  ...['dot'].map((name): [string, FileKind] => [name, 'doc']),
  ...['xlsm', 'xltx', 'xltm', 'xlam'].map((name): [string, FileKind] => [name, 'xlsx']),
  ...['xlt', 'xla'].map((name): [string, FileKind] => [name, 'xls']),
  ...['pptm', 'ppsx', 'ppsm', 'potx', 'potm'].map((name): [string, FileKind] => [name, 'pptx']),
  ...['pps', 'pot'].map((name): [string, FileKind] => [name, 'ppt']),
  ['ott', 'odt'],
  ['ots', 'ods'],
  ['otp', 'odp'],
  ['ltx', 'tex'],
  ['latex', 'tex'],
  ...['png', 'jpg', 'jpeg', 'webp', 'tif', 'tiff', 'gif', 'bmp', 'avif', 'jp2', 'j2k'].map(
    (name): [string, FileKind] => [name, 'image'],
  ),
]);

// Suffixes of media types, since most have prefixes: application/, vnd.openxmlformats-officedocument., x-.
const BY_TYPE: readonly [end: string, kind: FileKind][] = [
  ['/pdf', 'pdf'],
  ['/x-pdf', 'pdf'],
  ['/rtf', 'rtf'],
  ['/msword', 'doc'],
  ['wordprocessingml.document', 'docx'],
  ['ms-word.document.macroenabled.12', 'docx'],
  ['ms-excel', 'xls'],
  ['spreadsheetml.sheet', 'xlsx'],
  ['ms-excel.sheet.macroenabled.12', 'xlsx'],
  ['ms-excel.sheet.binary.macroenabled.12', 'xlsb'],
  ['ms-powerpoint', 'ppt'],
  ['presentationml.presentation', 'pptx'],
  ['presentationml.slideshow', 'pptx'],
  ['ms-powerpoint.presentation.macroenabled.12', 'pptx'],
  ['opendocument.text', 'odt'],
  ['opendocument.spreadsheet', 'ods'],
  ['opendocument.presentation', 'odp'],
  ['epub+zip', 'epub'],
  ['message/rfc822', 'eml'],
  ['ms-outlook', 'msg'],
  ['x-ipynb+json', 'ipynb'],
  ['/x-tex', 'tex'],
  ['/x-latex', 'tex'],
  ...['png', 'jpeg', 'jpg', 'webp', 'tiff', 'gif', 'bmp', 'x-ms-bmp', 'avif', 'jp2'].map((name): [string, FileKind] => [
    `image/${name}`,
    'image',
  ]),
];

export function claimedKind(name: string, contentType: string): FileKind | undefined {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  const type = (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
  return (
    (name.includes('.') ? BY_EXTENSION.get(extension) : undefined) ?? BY_TYPE.find(([end]) => type.endsWith(end))?.[1]
  );
}

// What the name of a file and its declared type say of it. Both are believed only where the bytes leave it open.
import { DOCUMENT_KINDS, type DocumentKind } from '../../contracts/parsed.ts';

const BY_EXTENSION: ReadonlyMap<string, DocumentKind> = new Map([
  ...DOCUMENT_KINDS.filter((kind) => kind !== 'image').map((kind): [string, DocumentKind] => [kind, kind]),
  ...['docm', 'dotx', 'dotm'].map((name): [string, DocumentKind] => [name, 'docx']),
  ...['dot'].map((name): [string, DocumentKind] => [name, 'doc']),
  ...['xlsm', 'xltx', 'xltm', 'xlam'].map((name): [string, DocumentKind] => [name, 'xlsx']),
  ...['xlt', 'xla'].map((name): [string, DocumentKind] => [name, 'xls']),
  ...['pptm', 'ppsx', 'ppsm', 'potx', 'potm'].map((name): [string, DocumentKind] => [name, 'pptx']),
  ...['pps', 'pot'].map((name): [string, DocumentKind] => [name, 'ppt']),
  ['ott', 'odt'],
  ['ots', 'ods'],
  ['otp', 'odp'],
  ['ltx', 'tex'],
  ['latex', 'tex'],
  ...['png', 'jpg', 'jpeg', 'webp', 'tif', 'tiff', 'gif', 'bmp', 'avif', 'jp2', 'j2k'].map(
    (name): [string, DocumentKind] => [name, 'image'],
  ),
]);

// The ends of types, since most come with a prefix or two: application/, vnd.openxmlformats-officedocument., x-.
const BY_TYPE: readonly [end: string, kind: DocumentKind][] = [
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
  ...['png', 'jpeg', 'jpg', 'webp', 'tiff', 'gif', 'bmp', 'x-ms-bmp', 'avif', 'jp2'].map(
    (name): [string, DocumentKind] => [`image/${name}`, 'image'],
  ),
];

export function claimedKind(name: string, contentType: string): DocumentKind | undefined {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  const type = (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
  return (
    (name.includes('.') ? BY_EXTENSION.get(extension) : undefined) ?? BY_TYPE.find(([end]) => type.endsWith(end))?.[1]
  );
}

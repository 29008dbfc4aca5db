// The media type of an uploaded file: the likely one that the transform starts from, and the actual one in the answer.
import type { FileKind } from '../../contracts/parsed.ts';
import { type Kind, kindByName, type TextKind } from '../../markup/sniff.ts';
import { uploadAddress } from './upload-address.ts';

const TEXT_NAMES: readonly [ending: RegExp, type: string][] = [
  [/\.(?:html?|xhtml)$/i, 'text/html'],
  [/\.csv$/i, 'text/csv'],
  [/\.(?:tsv|tab)$/i, 'text/tab-separated-values'],
  [/\.(?:md|markdown|mdown|mkd)$/i, 'text/markdown'],
  [/\.(?:json|geojson)$/i, 'application/json'],
  [/\.(?:jsonl|ndjson)$/i, 'application/x-ndjson'],
  [/\.(?:rss|atom|rdf|xml)$/i, 'application/xml'],
];

/** The declared type is often wrong. For text files the extension says more. */
export const likelyType = (name: string, declared: string): string =>
  TEXT_NAMES.find(([ending]) => ending.test(name))?.[1] ?? declared;

const TEXT_TYPES: Record<TextKind, string> = {
  html: 'text/html',
  json: 'application/json',
  xml: 'application/xml',
  feed: 'application/xml',
  csv: 'text/csv',
  text: 'text/plain',
  markdown: 'text/markdown',
};

const OPEN_XML = 'application/vnd.openxmlformats-officedocument';
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument';

const DOCUMENT_TYPES: Record<Exclude<FileKind, 'image'>, string> = {
  pdf: 'application/pdf',
  docx: `${OPEN_XML}.wordprocessingml.document`,
  doc: 'application/msword',
  odt: `${OPEN_DOCUMENT}.text`,
  rtf: 'application/rtf',
  xlsx: `${OPEN_XML}.spreadsheetml.sheet`,
  xls: 'application/vnd.ms-excel',
  xlsb: 'application/vnd.ms-excel.sheet.binary.macroenabled.12',
  ods: `${OPEN_DOCUMENT}.spreadsheet`,
  pptx: `${OPEN_XML}.presentationml.presentation`,
  ppt: 'application/vnd.ms-powerpoint',
  odp: `${OPEN_DOCUMENT}.presentation`,
  epub: 'application/epub+zip',
  eml: 'message/rfc822',
  msg: 'application/vnd.ms-outlook',
  ipynb: 'application/x-ipynb+json',
  tex: 'application/x-tex',
};

/** What it was read as: the kind of document, else what its bytes look like. */
export function foundType(document: FileKind | undefined, seen: Kind, name: string): string {
  if (document !== undefined && document !== 'image') return DOCUMENT_TYPES[document];
  return seen.kind === 'binary' ? seen.type : TEXT_TYPES[kindByName(seen.kind, uploadAddress(name))];
}

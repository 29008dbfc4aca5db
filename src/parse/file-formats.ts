// Every file format that can be read, with its extensions and media types: the one table behind the detection of files,
// the types of uploads and GET /v2/parse/formats.
import type { FileKind } from '../page/parsed.ts';

export interface FileFormat {
  /** In lower case, without a dot. */
  extensions: readonly string[];
  /** In lower case. The first one is used in answers. */
  types: readonly [string, ...string[]];
}

const OPEN_XML = 'application/vnd.openxmlformats-officedocument';
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument';
const EXCEL = 'application/vnd.ms-excel';
const POWERPOINT = 'application/vnd.ms-powerpoint';

/** Each has a parser. */
export const DOCUMENT_FORMATS: Readonly<Record<Exclude<FileKind, 'image'>, FileFormat>> = {
  pdf: { extensions: ['pdf'], types: ['application/pdf', 'application/x-pdf'] },
  docx: {
    extensions: ['docx', 'docm', 'dotx', 'dotm'],
    types: [`${OPEN_XML}.wordprocessingml.document`, 'application/vnd.ms-word.document.macroenabled.12'],
  },
  doc: { extensions: ['doc', 'dot'], types: ['application/msword'] },
  odt: { extensions: ['odt', 'ott'], types: [`${OPEN_DOCUMENT}.text`] },
  rtf: { extensions: ['rtf'], types: ['application/rtf', 'text/rtf'] },
  xlsx: {
    extensions: ['xlsx', 'xlsm', 'xltx', 'xltm', 'xlam'],
    types: [`${OPEN_XML}.spreadsheetml.sheet`, `${EXCEL}.sheet.macroenabled.12`],
  },
  xls: { extensions: ['xls', 'xlt', 'xla'], types: [EXCEL] },
  xlsb: { extensions: ['xlsb'], types: [`${EXCEL}.sheet.binary.macroenabled.12`] },
  ods: { extensions: ['ods', 'ots'], types: [`${OPEN_DOCUMENT}.spreadsheet`] },
  pptx: {
    extensions: ['pptx', 'pptm', 'ppsx', 'ppsm', 'potx', 'potm'],
    types: [
      `${OPEN_XML}.presentationml.presentation`,
      `${OPEN_XML}.presentationml.slideshow`,
      `${POWERPOINT}.presentation.macroenabled.12`,
    ],
  },
  ppt: { extensions: ['ppt', 'pps', 'pot'], types: [POWERPOINT] },
  odp: { extensions: ['odp', 'otp'], types: [`${OPEN_DOCUMENT}.presentation`] },
  epub: { extensions: ['epub'], types: ['application/epub+zip'] },
  eml: { extensions: ['eml'], types: ['message/rfc822'] },
  msg: { extensions: ['msg'], types: ['application/vnd.ms-outlook'] },
  ipynb: { extensions: ['ipynb'], types: ['application/x-ipynb+json'] },
  tex: { extensions: ['tex', 'ltx', 'latex'], types: ['application/x-tex', 'application/x-latex'] },
};

/** Pictures are read by OCR. */
export const PICTURE_FORMATS = {
  png: { extensions: ['png'], types: ['image/png'] },
  jpeg: { extensions: ['jpg', 'jpeg'], types: ['image/jpeg', 'image/jpg'] },
  webp: { extensions: ['webp'], types: ['image/webp'] },
  tiff: { extensions: ['tif', 'tiff'], types: ['image/tiff'] },
  gif: { extensions: ['gif'], types: ['image/gif'] },
  bmp: { extensions: ['bmp'], types: ['image/bmp', 'image/x-ms-bmp'] },
  avif: { extensions: ['avif'], types: ['image/avif'] },
  jp2: { extensions: ['jp2', 'j2k'], types: ['image/jp2'] },
} as const satisfies Record<string, FileFormat>;

/** Text needs no parser: the transform reads it itself. */
export const TEXT_FORMATS = {
  html: { extensions: ['html', 'htm', 'xhtml'], types: ['text/html', 'application/xhtml+xml'] },
  csv: { extensions: ['csv'], types: ['text/csv'] },
  tsv: { extensions: ['tsv', 'tab'], types: ['text/tab-separated-values'] },
  markdown: { extensions: ['md', 'markdown', 'mdown', 'mkd'], types: ['text/markdown'] },
  json: { extensions: ['json', 'geojson'], types: ['application/json'] },
  jsonl: { extensions: ['jsonl', 'ndjson'], types: ['application/x-ndjson'] },
  xml: { extensions: ['xml', 'rss', 'atom', 'rdf'], types: ['application/xml', 'text/xml'] },
  text: { extensions: ['txt'], types: ['text/plain'] },
} as const satisfies Record<string, FileFormat>;

// The parser of each file kind, loaded on first use: a process that parses a Word file never loads the PDF engines.
import type { FileKind } from '../page/parsed.ts';
import type { FormatParser } from './format-parser.ts';

const office = async (): Promise<FormatParser> => (await import('./office/office.ts')).parseOffice;
const sheet = async (): Promise<FormatParser> => (await import('./sheets/sheets.ts')).parseSheet;

const PARSERS: Readonly<Record<FileKind, () => Promise<FormatParser>>> = {
  pdf: async () => (await import('./pdf/pdf.ts')).parsePdf,
  image: async () => (await import('./image/image.ts')).parseImage,
  docx: office,
  doc: office,
  odt: office,
  rtf: office,
  pptx: office,
  ppt: office,
  odp: office,
  xlsx: sheet,
  xls: sheet,
  xlsb: sheet,
  ods: sheet,
  epub: async () => (await import('./epub/epub.ts')).parseEpub,
  eml: async () => (await import('./mail/mail.ts')).parseMail,
  msg: async () => (await import('./outlook/outlook.ts')).parseOutlook,
  ipynb: async () => (await import('./notebook/notebook.ts')).parseNotebook,
  tex: async () => (await import('./tex/tex.ts')).parseTex,
};

export const loadParser = (kind: FileKind): Promise<FormatParser> => PARSERS[kind]();

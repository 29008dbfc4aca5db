// The parser of each kind. They are loaded on first use: a process that reads a letter never loads what PDFs need.
import type { DocumentKind } from '../contracts/parsed.ts';
import type { Parser } from './format-parser.ts';

const office = async (): Promise<Parser> => (await import('./office/office.ts')).parseOffice;
const sheet = async (): Promise<Parser> => (await import('./sheets/sheets.ts')).parseSheet;

const PARSERS: Readonly<Record<DocumentKind, () => Promise<Parser>>> = {
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

export const loadParser = (kind: DocumentKind): Promise<Parser> => PARSERS[kind]();

// The index quality of a parsed file by its kind: prose ranks above data, and text above the results of OCR.
import type { FileKind, ParsedFile } from '../../page/parsed.ts';

const QUALITY: Record<FileKind, number> = {
  pdf: 0.8,
  docx: 0.8,
  doc: 0.8,
  odt: 0.8,
  rtf: 0.8,
  epub: 0.8,
  tex: 0.7,
  ipynb: 0.7,
  pptx: 0.6,
  ppt: 0.6,
  odp: 0.6,
  xlsx: 0.5,
  xls: 0.5,
  xlsb: 0.5,
  ods: 0.5,
  eml: 0.5,
  msg: 0.5,
  image: 0.4,
};
const SCANNED = 0.6;

export function parsedFileQuality(kind: FileKind, { blocks = [] }: ParsedFile): number {
  const isScanned = blocks.some(({ items }) => items.some(({ source }) => source === 'ocr'));
  return isScanned ? Math.min(SCANNED, QUALITY[kind]) : QUALITY[kind];
}

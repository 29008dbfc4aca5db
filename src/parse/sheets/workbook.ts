// Opens workbooks with an engine that trusts its input: archives are checked and unpacked first, and sheets that are too
// large are cut before the engine reads them.
import { read, set_cptable, type WorkBook } from '@e965/xlsx';
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { SourceFile } from '../../page/parsed.ts';
import { repackZip } from '../container/repack-zip.ts';
import { openZip, type ZipArchive } from '../container/zip.ts';
import { rejectEncryptedOdf } from '../office/office-package.ts';
import { type FileMetadata, readOfficeProperties, toMetadata } from '../office/office-properties.ts';
import { damagedFile } from '../parse-errors.ts';

export interface OpenedWorkbook {
  workbook: WorkBook;
  metadata: FileMetadata;
  /** Undefined for the binary formats. */
  archive: ZipArchive | undefined;
  /** The XML of the sheets, after cutting. */
  parts: ReadonlyMap<string, Uint8Array | undefined>;
  /** Whether rows were cut before reading. */
  isCut: boolean;
}

export const MAX_ROWS = 200_000;
/** Per sheet. More than can be shown, because cells without content count here. */
export const MAX_READ_CELLS = 300_000;
// Pictures, macros and other parts that tables do not need.
const SKIPPED_PARTS =
  /^xl\/(?:media|embeddings|printerSettings|drawings\/(?!vmlDrawing)|charts|activeX|ctrlProps|model|customData)\/|vbaProject|^Pictures\/|^Object/;

export async function openWorkbook({ kind, bytes }: SourceFile): Promise<OpenedWorkbook> {
  const isArchive = bytes[0] === 0x50 && bytes[1] === 0x4b;
  if (!isArchive) return openBinary(bytes, kind);
  const archive = openZip(bytes);
  if (kind === 'ods') rejectEncryptedOdf(archive);
  const { parts, isCut } = cutSheets(archive);
  // Binary sheets report hidden rows only together with styles. In XML formats, styles create a cell for each styled
  // blank, and the engine throws and catches an error for each cell without one.
  const workbook = readWorkbook(repackZip(archive, parts), kind === 'xlsb');
  return { workbook, metadata: readOfficeProperties(archive), archive, parts, isCut };
}

async function openBinary(bytes: Uint8Array, kind: string): Promise<OpenedWorkbook> {
  // Workbooks before 1997 store text in the code page of their machine.
  if (kind === 'xls') set_cptable(await import('@e965/xlsx/dist/cpexcel.full.mjs'));
  const workbook = readWorkbook(bytes, true);
  return { workbook, metadata: binaryWorkbookProperties(workbook), archive: undefined, parts: new Map(), isCut: false };
}

function readWorkbook(bytes: Uint8Array, cellStyles: boolean): WorkBook {
  try {
    return read(bytes, {
      type: 'array',
      dense: true,
      cellFormula: false,
      cellHTML: false,
      cellNF: true,
      cellStyles,
      sheetRows: MAX_ROWS + 1,
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    if (/password|encrypt/i.test(message)) throw new ServiceError('DOCUMENT_ENCRYPTED', { cause: error });
    throw damagedFile('It is not a readable workbook.', error);
  }
}

const SHEET_PART = /^xl\/worksheets\/[^/]+\.xml$/i;

interface SheetMarkers {
  cell: string;
  /** The sheet can be cut after this... */
  row: string;
  /** ...if this is appended. */
  rest: string;
}

const XLSX_MARKERS: SheetMarkers = { cell: '<c ', row: '</row>', rest: '</sheetData></worksheet>' };
const ODS_MARKERS: SheetMarkers = {
  cell: '<table:table-cell',
  row: '</table:table-row>',
  rest: '</table:table></office:spreadsheet></office:body></office:document-content>',
};

function cutSheets(archive: ZipArchive): Pick<OpenedWorkbook, 'parts' | 'isCut'> {
  const parts = new Map<string, Uint8Array | undefined>();
  let isCut = false;
  for (const name of archive.names) {
    if (SKIPPED_PARTS.test(name)) parts.set(name, undefined);
    const markers = SHEET_PART.test(name) ? XLSX_MARKERS : name === 'content.xml' ? ODS_MARKERS : undefined;
    const content = markers && archive.read(name);
    if (!content) continue;
    const cut = cutSheet(Buffer.from(content.buffer, content.byteOffset, content.byteLength), markers);
    isCut ||= cut.length !== content.length;
    parts.set(name, cut);
  }
  return { parts, isCut };
}

/** Cuts the sheet after the row that reaches the limit of cells. */
function cutSheet(content: Buffer, { cell, row, rest }: SheetMarkers): Buffer {
  let at = 0;
  for (let cells = 0; cells < MAX_READ_CELLS; cells++) {
    at = content.indexOf(cell, at + 1);
    if (at === -1) return content;
  }
  const end = content.indexOf(row, at);
  return end === -1 ? content : Buffer.concat([content.subarray(0, end + row.length), Buffer.from(rest)]);
}

function binaryWorkbookProperties({ Props: own = {} }: WorkBook): FileMetadata {
  const found = new Map<string, string[]>();
  const names = { title: own.Title, author: own.Author, subject: own.Subject, keywords: own.Keywords };
  for (const [name, value] of Object.entries({ ...names, description: own.Comments })) {
    if (typeof value === 'string' && value.trim() !== '') found.set(name, [value.trim()]);
  }
  for (const [name, time] of [
    ['publishedTime', own.CreatedDate],
    ['modifiedTime', own.ModifiedDate],
  ] as const) {
    if (time instanceof Date && !Number.isNaN(time.getTime())) found.set(name, [time.toISOString()]);
  }
  return toMetadata(found);
}

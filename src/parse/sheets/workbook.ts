// Opens a workbook with an engine that trusts what it reads: archives are checked and unpacked first, and what is more than can be
// shown is cut off before it is read.
import { read, set_cptable, type WorkBook } from '@e965/xlsx';
import { ServiceError } from '../../contracts/errors.ts';
import type { SourceFile } from '../../contracts/parsed.ts';
import { repackZip } from '../container/repack-zip.ts';
import { openZip, type ZipArchive } from '../container/zip.ts';
import { rejectEncryptedOdf } from '../office/office-package.ts';
import { type FileMetadata, readOfficeProperties, toMetadata } from '../office/office-properties.ts';
import { damagedFile } from '../parse-errors.ts';

export interface Opened {
  workbook: WorkBook;
  metadata: FileMetadata;
  /** Undefined for the older formats. */
  archive: ZipArchive | undefined;
  /** The XML of the sheets, as far as it is read. */
  parts: ReadonlyMap<string, Uint8Array | undefined>;
  /** Were rows cut off before they were read? */
  isCut: boolean;
}

export const MAX_ROWS = 200_000;
/** Of one sheet: more than can be shown, since cells without content count here. */
export const MAX_READ_CELLS = 300_000;
// Pictures, macros and the like are of no use to a table.
const UNREAD =
  /^xl\/(?:media|embeddings|printerSettings|drawings\/(?!vmlDrawing)|charts|activeX|ctrlProps|model|customData)\/|vbaProject|^Pictures\/|^Object/;

export async function openWorkbook({ kind, bytes }: SourceFile): Promise<Opened> {
  const isArchive = bytes[0] === 0x50 && bytes[1] === 0x4b;
  if (!isArchive) return openOlder(bytes, kind);
  const archive = openZip(bytes);
  if (kind === 'ods') rejectEncryptedOdf(archive);
  const { parts, isCut } = cutSheets(archive);
  // Binary sheets tell of hidden rows only together with their styles. In others, styles cost a cell for each blank that has one,
  // and an error that is thrown and caught for each cell where there are none.
  const workbook = readWorkbook(repackZip(archive, parts), kind === 'xlsb');
  return { workbook, metadata: readOfficeProperties(archive), archive, parts, isCut };
}

async function openOlder(bytes: Uint8Array, kind: string): Promise<Opened> {
  // Workbooks before 1997 write text in the code page of their machine.
  if (kind === 'xls') set_cptable(await import('@e965/xlsx/dist/cpexcel.full.mjs'));
  const workbook = readWorkbook(bytes, true);
  return { workbook, metadata: olderProperties(workbook), archive: undefined, parts: new Map(), isCut: false };
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
    throw damagedFile('it is no workbook that can be read.', error);
  }
}

const SHEET_PART = /^xl\/worksheets\/[^/]+\.xml$/i;

interface Marks {
  cell: string;
  /** After this the sheet may end... */
  row: string;
  /** ...with this. */
  rest: string;
}

const MARKS: Marks = { cell: '<c ', row: '</row>', rest: '</sheetData></worksheet>' };
const ODF_MARKS: Marks = {
  cell: '<table:table-cell',
  row: '</table:table-row>',
  rest: '</table:table></office:spreadsheet></office:body></office:document-content>',
};

function cutSheets(archive: ZipArchive): Pick<Opened, 'parts' | 'isCut'> {
  const parts = new Map<string, Uint8Array | undefined>();
  let isCut = false;
  for (const name of archive.names) {
    if (UNREAD.test(name)) parts.set(name, undefined);
    const marks = SHEET_PART.test(name) ? MARKS : name === 'content.xml' ? ODF_MARKS : undefined;
    const content = marks && archive.read(name);
    if (!content) continue;
    const cut = cutSheet(Buffer.from(content.buffer, content.byteOffset, content.byteLength), marks);
    isCut ||= cut.length !== content.length;
    parts.set(name, cut);
  }
  return { parts, isCut };
}

/** The sheet up to the row in which there are more cells than are read. */
function cutSheet(content: Buffer, { cell, row, rest }: Marks): Buffer {
  let at = 0;
  for (let cells = 0; cells < MAX_READ_CELLS; cells++) {
    at = content.indexOf(cell, at + 1);
    if (at === -1) return content;
  }
  const end = content.indexOf(row, at);
  return end === -1 ? content : Buffer.concat([content.subarray(0, end + row.length), Buffer.from(rest)]);
}

function olderProperties({ Props: own = {} }: WorkBook): FileMetadata {
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

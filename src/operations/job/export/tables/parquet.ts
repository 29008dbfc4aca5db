// Parquet for data frames and databases: a row a page with typed columns, which other programs read without options.
import { createParquetWriter, type ParquetColumn } from '../../../../archive/parquet/parquet-writer.ts';
import { readVersion } from '../../../../runtime/version.ts';
import { fetchTime } from '../fetch-time.ts';
import { type ExportedDocument, readDocuments } from '../read-documents.ts';
import type { ExportSource, ResultSlice } from '../read-slices.ts';
import { type Column, columnsOf } from './columns.ts';

type TableJob = Pick<ExportSource, 'kind' | 'options'>;

interface TableColumn extends ParquetColumn {
  read(document: ExportedDocument): unknown;
}

export async function* writeParquet(slices: AsyncIterable<ResultSlice>, job: TableJob): AsyncGenerator<Uint8Array> {
  const columns = parquetColumns(job);
  const table = await createParquetWriter(columns, { createdBy: `Trawl ${readVersion()}` });
  for await (const document of readDocuments(slices)) yield* table.add(columns.map(({ read }) => read(document)));
  yield* table.end();
}

/** The columns of every table, then when a page was fetched, and everything else that is known about it. */
export function parquetColumns(job: TableJob): TableColumn[] {
  const [facts, contents] = [columnsOf(job).filter(isFact), columnsOf(job).filter((column) => !isFact(column))];
  return [
    ...facts.map(typed),
    { name: 'fetchedAt', type: 'time', read: (document) => fetchTime(document, job) },
    ...contents.map(typed),
    { name: 'metadata', type: 'text', isLong: true, read: ({ metadata }) => JSON.stringify(metadata) },
  ];
}

const isFact = ({ isLong }: Column): boolean => !isLong;

const typed = (column: Column): TableColumn => ({
  name: column.name,
  type: column.type === 'data' ? 'text' : column.type,
  isLong: column.isLong,
  read: (document) => cellOf(column, column.read(document)),
});

/** What has another type than its column is left out: pages wrote it. */
function cellOf({ type, isLong }: Column, value: unknown): unknown {
  if (value === undefined || value === null || (value === '' && !isLong)) return undefined;
  if (type === 'data') return JSON.stringify(value);
  if (type === 'integer') return Number.isInteger(value) ? value : undefined;
  if (type === 'list') return Array.isArray(value) ? value.filter(isText) : undefined;
  return isText(value) ? value : JSON.stringify(value);
}

const isText = (value: unknown): value is string => typeof value === 'string';

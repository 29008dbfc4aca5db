// The rows of a query as bytes, in slices, so that a long result delays no other request.

import { createParquetWriter } from '../../archive/parquet/parquet-writer.ts';
import type { QueryFormat } from '../../contracts/query/query.ts';
import { readVersion } from '../../runtime/version.ts';
import type { QueryResult } from '../../store/ports/table-queries.ts';
import { csvRow } from '../../text/csv-row.ts';
import { JsonText } from '../../util/json/json-text.ts';
import { createSlices } from '../../util/slices.ts';
import { parquetColumns } from './parquet-columns.ts';

type WriteTable = (result: QueryResult) => AsyncIterable<Uint8Array>;

/** Everything but JSON, which is the answer itself. */
export const writeTable: Readonly<Record<Exclude<QueryFormat, 'json'>, WriteTable>> = {
  csv: writeCsv,
  parquet: writeParquet,
};

/** The rows are JSON already. */
export function writeJson({ columns, rowCount, batches }: QueryResult): Promise<JsonText> {
  const head = JSON.stringify({ columns, rowCount }).slice(0, -1);
  const rows = batches.map((batch, at) => `${at === 0 ? '' : ','}${batch.slice(1, -1)}`);
  return JsonText.joined(`{"success":true,"data":${head},"rows":[`, ...rows, ']}}');
}

async function* writeCsv(result: QueryResult): AsyncGenerator<Uint8Array> {
  yield Buffer.from(csvRow(result.columns.map(({ name }) => name)));
  for await (const rows of readBatches(result)) yield Buffer.from(rows.map(csvRow).join(''));
}

async function* writeParquet(result: QueryResult): AsyncGenerator<Uint8Array> {
  const columns = parquetColumns(result.columns);
  const table = await createParquetWriter(columns, { createdBy: `Trawl ${readVersion()}` });
  const slices = createSlices();
  async function* inSlices(parts: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for (const part of parts) {
      yield part;
      if (slices.isOver()) await slices.next();
    }
  }
  for await (const rows of readBatches(result)) {
    for (const row of rows) yield* inSlices(table.add(columns.map(({ read }, at) => read(row[at]))));
  }
  yield* inSlices(table.end());
}

/** The rows as values, some at a time. */
async function* readBatches({ batches }: QueryResult): AsyncGenerator<unknown[][]> {
  const slices = createSlices();
  for (const batch of batches) {
    yield JSON.parse(batch) as unknown[][];
    if (slices.isOver()) await slices.next();
  }
}

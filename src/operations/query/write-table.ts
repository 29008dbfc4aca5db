// The rows of a query as bytes, in slices, so that a long result delays no other request.
import type { QueryFormat } from '../../contracts/query/query.ts';
import type { QueryResult } from '../../store/ports/table-queries.ts';
import { csvRow } from '../../text/csv-row.ts';
import { JsonText } from '../../util/json/json-text.ts';
import { createSlices } from '../../util/slices.ts';

type WriteTable = (result: QueryResult) => AsyncIterable<Uint8Array>;

/** Everything but JSON, which is the answer itself. */
export const writeTable: Readonly<Record<Exclude<QueryFormat, 'json'>, WriteTable>> = { csv: writeCsv };

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

/** The rows as values, some at a time. */
export async function* readBatches({ batches }: QueryResult): AsyncGenerator<unknown[][]> {
  const slices = createSlices();
  for (const batch of batches) {
    yield JSON.parse(batch) as unknown[][];
    if (slices.isOver()) await slices.next();
  }
}

// CSV (RFC 4180) for spreadsheets: a row a page.
import type { JobView } from '../../../../store/ports/jobs/job-store.ts';
import { csvRow } from '../../../../text/csv-row.ts';
import { joinTexts } from '../join-texts.ts';
import { readDocuments } from '../read-documents.ts';
import type { ResultSlice } from '../read-slices.ts';
import { type Column, columnsOf } from './columns.ts';

// Without it, Excel reads UTF-8 as a code page of the machine.
const BYTE_ORDER_MARK = '\ufeff';

export const writeCsv = (
  slices: AsyncIterable<ResultSlice>,
  job: Pick<JobView, 'options'>,
): AsyncGenerator<Uint8Array> => joinTexts(rows(slices, columnsOf(job)));

async function* rows(slices: AsyncIterable<ResultSlice>, columns: readonly Column[]): AsyncGenerator<string> {
  yield `${BYTE_ORDER_MARK}${csvRow(columns.map(({ name }) => name))}`;
  for await (const document of readDocuments(slices)) yield csvRow(columns.map(({ read }) => read(document)));
}

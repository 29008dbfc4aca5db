// CSV (RFC 4180) for spreadsheets: a row a page, with a column for each format that the job was started with.
import { type FormatType, formatsWhere, keyOf, traitsOf } from '../../../contracts/formats/format-traits.ts';
import { FORMAT_TYPES } from '../../../contracts/formats/formats.ts';
import type { JobView } from '../../../store/ports/jobs/job-store.ts';
import { csvRow } from '../../../text/csv-row.ts';
import { joinTexts } from './join-texts.ts';
import { type ExportedDocument, oneLine, readDocuments } from './read-documents.ts';
import type { ResultSlice } from './read-slices.ts';
import { requestedFormats } from './requested-formats.ts';

type Column = [name: string, read: (document: ExportedDocument) => unknown];

const FACTS: readonly Column[] = [
  ['url', ({ metadata }) => metadata.url],
  ['sourceURL', ({ metadata }) => metadata.sourceURL],
  ['title', ({ metadata }) => oneLine(metadata.title)],
  ['description', ({ metadata }) => oneLine(metadata.description)],
  ['language', ({ metadata }) => metadata.language],
  ['statusCode', ({ metadata }) => metadata.statusCode],
  ['contentType', ({ metadata }) => metadata.contentType],
  ['error', ({ metadata }) => metadata.error],
  ['warning', ({ warning }) => warning],
  ['scrapeId', ({ metadata }) => metadata.scrapeId],
];

/** Long ones are the last columns. */
const LONG: readonly FormatType[] = formatsWhere(({ content }) => content === 'html' || content === 'base64');

// Without it, Excel reads UTF-8 as a code page of the machine.
const BYTE_ORDER_MARK = '\ufeff';

export const writeCsv = (
  slices: AsyncIterable<ResultSlice>,
  job: Pick<JobView, 'options'>,
): AsyncGenerator<Uint8Array> => joinTexts(rows(slices, columnsOf(job)));

async function* rows(slices: AsyncIterable<ResultSlice>, columns: readonly Column[]): AsyncGenerator<string> {
  yield `${BYTE_ORDER_MARK}${csvRow(columns.map(([name]) => name))}`;
  for await (const document of readDocuments(slices)) yield csvRow(columns.map(([, read]) => read(document)));
}

function columnsOf(job: Pick<JobView, 'options'>): Column[] {
  const formats = requestedFormats(job);
  const types = [...FORMAT_TYPES.filter((type) => !LONG.includes(type)), ...LONG].filter((type) =>
    formats.includes(type),
  );
  const made = formats.filter((type) => traitsOf(type).stage === 'understanding').map(keyOf);
  const isRepeated = new Set(made).size < made.length;
  const contents = new Set([...types.map(keyOf), ...(isRepeated ? (['answers'] as const) : [])]);
  return [...FACTS, ...[...contents].map((name): Column => [name, (document) => document[name]])];
}

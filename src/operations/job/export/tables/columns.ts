// The columns of a table with a row a page: facts, then a column for each format that the job was started with.
import { type FormatType, formatsWhere, keyOf, traitsOf } from '../../../../contracts/formats/format-traits.ts';
import { FORMAT_TYPES } from '../../../../contracts/formats/formats.ts';
import type { JobView } from '../../../../store/ports/jobs/job-store.ts';
import { type ExportedDocument, oneLine } from '../read-documents.ts';
import { requestedFormats } from '../requested-formats.ts';

export interface Column {
  name: string;
  /** Data is what has no type of its own in a table: it is written as JSON. */
  type: 'text' | 'integer' | 'list' | 'data';
  /** It can be as long as a page. */
  isLong?: boolean;
  read(document: ExportedDocument): unknown;
}

const fact = (name: string, read: Column['read'], type: Column['type'] = 'text'): Column => ({ name, type, read });

const FACTS: readonly Column[] = [
  fact('url', ({ metadata }) => metadata.url),
  fact('sourceURL', ({ metadata }) => metadata.sourceURL),
  fact('title', ({ metadata }) => oneLine(metadata.title)),
  fact('description', ({ metadata }) => oneLine(metadata.description)),
  fact('language', ({ metadata }) => metadata.language),
  fact('statusCode', ({ metadata }) => metadata.statusCode, 'integer'),
  fact('contentType', ({ metadata }) => metadata.contentType),
  fact('error', ({ metadata }) => metadata.error),
  fact('warning', ({ warning }) => warning),
  fact('scrapeId', ({ metadata }) => metadata.scrapeId),
];

/** Long ones are the last columns. */
const LONG: readonly FormatType[] = formatsWhere(({ content }) => content === 'html' || content === 'base64');

export function columnsOf(job: Pick<JobView, 'options'>): Column[] {
  const formats = requestedFormats(job);
  const types = [...FORMAT_TYPES.filter((type) => !LONG.includes(type)), ...LONG].filter((type) =>
    formats.includes(type),
  );
  const made = formats.filter((type) => traitsOf(type).stage === 'understanding').map(keyOf);
  const isRepeated = new Set(made).size < made.length;
  const contents = new Map<keyof ExportedDocument, Column['type']>(types.map((type) => [keyOf(type), typeOf(type)]));
  if (isRepeated) contents.set('answers', 'data');
  const columns = [...contents].map(
    ([name, type]): Column => ({ name, type, isLong: true, read: (document) => document[name] }),
  );
  return [...FACTS, ...columns];
}

function typeOf(type: FormatType): Column['type'] {
  const { content } = traitsOf(type);
  return content === 'list' || content === 'data' ? content : 'text';
}

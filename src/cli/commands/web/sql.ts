// `trawl sql "SELECT ..."`: asks with SQL what is stored, and prints a table.
import type { QueryFormat } from '../../../contracts/query/query.ts';
import type { CommandBody, Invocation } from '../../command.ts';
import { safeLine } from '../../output/safe-text.ts';
import { writeFileSafely } from '../../output/write-file.ts';
import { printTable } from '../../tables/print-table.ts';
import type { Cell } from '../../tables/table.ts';
import { UsageError } from '../../usage-error.ts';

export const sql: CommandBody = {
  usage: 'QUERY',
  call: 'query',
  without: ['sql', 'format'],
  common: ['timeout'],
  flags: {
    csv: { type: 'boolean', text: 'Print the rows as CSV.' },
    parquet: { type: 'string', value: 'FILE', text: 'Write the rows to this file as Parquet.' },
    schema: { type: 'boolean', text: 'List the tables and columns instead.' },
    output: { type: 'string', short: 'o', value: 'FILE', text: 'Write to this file: .json, .parquet, else CSV.' },
  },
  examples: [
    'trawl sql "SELECT host, count(*) FROM pages GROUP BY host"',
    'trawl sql "SELECT url, title FROM pages" -o pages.csv',
    'trawl sql --schema',
  ],
  async run(invocation) {
    const { args, flags } = invocation;
    if (flags.schema === true) return printSchema(invocation);
    const query = args.join(' ').trim();
    if (query === '') throw new UsageError('There is no query. Usage: trawl sql "SELECT url, title FROM pages"');
    const format = formatOf(invocation);
    return format === undefined ? putRows(invocation, query) : putFile(invocation, query, format);
  },
};

/** Undefined for the screen. */
function formatOf({ flags }: Invocation): QueryFormat | undefined {
  const path = flags.output as string | undefined;
  if (flags.parquet !== undefined) {
    if (flags.csv === true || path !== undefined) throw new UsageError('Use --parquet without --csv and --output.');
    return 'parquet';
  }
  if (flags.csv === true) return 'csv';
  if (path === undefined) return undefined;
  if (path.endsWith('.json')) return 'json';
  return path.endsWith('.parquet') ? 'parquet' : 'csv';
}

async function putRows(invocation: Invocation, query: string): Promise<undefined> {
  const { body, screen, signal } = invocation;
  const { api } = await invocation.connect();
  const answer = await api.call('query', { body: { ...body, sql: query }, signal });
  const { columns, rows } = answer.data;
  const titles = columns.map(({ name }) => safeLine(name));
  printTable(
    screen,
    answer,
    titles,
    rows.map((row) => row.map(cellOf)),
    'No rows.',
  );
  return undefined;
}

const cellOf = (value: unknown): Cell => (typeof value === 'string' ? safeLine(value) : (value as Cell));

async function putFile(invocation: Invocation, query: string, format: QueryFormat): Promise<undefined> {
  const { body, flags, screen, signal } = invocation;
  const path = (flags.parquet ?? flags.output) as string | undefined;
  const { api } = await invocation.connect();
  const answer = await api.download('query', { body: { ...body, sql: query, format }, signal });
  if (path === undefined) {
    for await (const chunk of answer.body) screen.printBytes(chunk);
    return undefined;
  }
  await writeFileSafely(path, answer.body);
  screen.note(`Written to ${path}`);
  return undefined;
}

async function printSchema({ screen, signal, connect }: Invocation): Promise<undefined> {
  const { api } = await connect();
  const schema = await api.call('querySchema', { signal });
  const rows = schema.data.tables.flatMap(({ name, columns }) =>
    columns.map((column) => [name, column.name, column.type, column.comment]),
  );
  printTable(screen, schema, ['TABLE', 'COLUMN', 'TYPE', 'MEANING'], rows, 'This key may read no table.');
  return undefined;
}

// POST /v2/query and GET /v2/query/schema: requests and responses.
import { z } from 'zod';

export const MAX_SQL_LENGTH = 100_000;
export const MAX_ROWS = 10_000;
const DEFAULT_MS = 10_000;
const MAX_MS = 30_000;

export const QUERY_FORMATS = ['json', 'csv', 'parquet'] as const;
export type QueryFormat = (typeof QUERY_FORMATS)[number];

export const queryRequest = z.object({
  sql: z
    .string('`sql` is missing: send one SELECT.')
    .max(MAX_SQL_LENGTH, `\`sql\` must have at most ${MAX_SQL_LENGTH} characters.`)
    .refine((sql) => sql.trim() !== '', '`sql` is empty: send one SELECT.')
    .refine((sql) => !sql.includes('\0'), '`sql` must not contain a zero byte.')
    .describe(
      'One SELECT, which may begin with WITH, in the dialect of the store: SQLite, or PostgreSQL where the service uses it.',
    ),
  format: z
    .enum(QUERY_FORMATS)
    .default('json')
    .describe('`csv` is a download with a line of titles, `parquet` one with typed columns.'),
  timeout: z
    .int()
    .min(100)
    .max(MAX_MS)
    .default(DEFAULT_MS)
    .describe('Milliseconds after which the query is ended with an error.'),
});

const columnTypes = ['text', 'integer', 'number', 'boolean', 'time', 'bytes', 'any', 'null'] as const;

export const queryResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    data: z.object({
      columns: z.array(
        z.object({
          name: z.string(),
          type: z.enum(columnTypes).describe('`any`: its values have several types. `null`: it has none.'),
        }),
      ),
      rowCount: z.int(),
      rows: z
        .array(z.array(z.unknown()))
        .describe(
          'Each row is a list of values in the order of the columns. Bytes are Base64, and whole numbers beyond 2^53 are texts.',
        ),
    }),
  }),
);

export const querySchemaResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    data: z.object({
      dialect: z.enum(['sqlite', 'postgresql']),
      tables: z
        .array(
          z.object({
            name: z.string(),
            comment: z.string(),
            columns: z.array(z.object({ name: z.string(), type: z.string(), comment: z.string() })),
          }),
        )
        .describe('What this key may read.'),
    }),
  }),
);
export type QuerySchemaResponse = z.output<typeof querySchemaResponse>;

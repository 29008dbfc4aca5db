// Columns of a Parquet file for those of a query, and how the values of each come out of JSON.
import type { ParquetColumn } from '../../archive/parquet/parquet-writer.ts';
import type { ResultColumn } from '../../store/ports/table-queries.ts';

interface ReadColumn extends ParquetColumn {
  /** Undefined for what the type cannot hold. */
  read(value: unknown): unknown;
}

type Kind = Omit<ReadColumn, 'name'>;

const TEXT: Kind = {
  type: 'text',
  isLong: true,
  read: (value) => (typeof value === 'string' ? value : JSON.stringify(value)),
};

const KINDS: Readonly<Record<ResultColumn['type'], Kind>> = {
  text: TEXT,
  any: TEXT,
  null: TEXT,
  // Whole numbers beyond 2^53 are texts in JSON, and so are infinity and what is no number.
  integer: { type: 'long', read: (value) => BigInt(value as number | string) },
  number: { type: 'number', read: Number },
  boolean: { type: 'boolean', read: (value) => value },
  time: { type: 'time', read: timeOf },
  bytes: { type: 'bytes', isLong: true, read: (value) => Buffer.from(value as string, 'base64') },
};

/** Two columns may have the same name in SQL, and not in Parquet. */
export function parquetColumns(columns: readonly ResultColumn[]): ReadColumn[] {
  const names = new Set<string>();
  return columns.map(({ name, type }) => {
    let own = name;
    for (let count = 2; names.has(own); count += 1) own = `${name}_${count}`;
    names.add(own);
    const { read, ...kind } = KINDS[type];
    return { ...kind, name: own, read: (value) => (value === null ? undefined : read(value)) };
  });
}

/** The database says times in UTC, and leaves that unsaid where a type has no zone. */
function timeOf(value: unknown): Date | undefined {
  const text = String(value);
  const time = new Date(/T.*(?:Z|[+-]\d\d(?::?\d\d)?)$/.test(text) || !text.includes('T') ? text : `${text}Z`);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

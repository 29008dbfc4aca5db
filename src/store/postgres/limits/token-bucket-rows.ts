// SQL for token buckets that all processes share. One bucket, which is the usual case, is one statement.
import { TOKEN_ROUNDING } from '../../../util/token-rounding.ts';
import type { BucketLimit, TakenTokens, TokenBucket, TokenBuckets } from '../../ports/limits/token-buckets.ts';
import type { Remover } from '../../sql/database.ts';
import type { Base } from '../base.ts';
import type { Sql } from '../database/database.ts';

export interface TokenBucketRows extends TokenBuckets {
  removeFull: Remover;
}

export function createTokenBucketRows({ database }: Pick<Base, 'database'>): TokenBucketRows {
  const { sql: pool, transaction } = database;

  const giveBack = async (sql: Sql, names: string[]) =>
    void (await sql`UPDATE token_buckets SET used = greatest(0, used - 1) WHERE name = ANY(${names})`);

  /** In the order of their names, so that two processes do not wait for each other. Undefined if one is empty. */
  const takeAll = (limits: readonly BucketLimit[], now: number) =>
    transaction(async (sql) => {
      const taken = new Map<string, TokenBucket>();
      for (const limit of limits.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
        const bucket = await takeOne(sql, limit, now);
        if (!bucket) {
          await giveBack(sql, [...taken.keys()]);
          return undefined;
        }
        taken.set(limit.name, bucket);
      }
      return limits.map(({ name }) => taken.get(name)!);
    });

  return {
    async take(limits, now): Promise<TakenTokens> {
      const [only] = limits;
      const taken = limits.length === 1 ? [await takeOne(pool, only!, now)] : await takeAll(limits, now);
      if (taken?.every((bucket) => bucket !== undefined)) return { isTaken: true, buckets: taken };
      return { isTaken: false, buckets: await look(pool, limits, now) };
    },
    giveBack: (name) => giveBack(pool, [name]),
    removeFull: async (now, limit) =>
      (
        await pool`DELETE FROM token_buckets WHERE name IN (
          SELECT name FROM token_buckets WHERE at + refill_ms <= ${now} LIMIT ${limit} FOR UPDATE SKIP LOCKED)`
      ).count,
  };
}

/** Undefined if the bucket is empty. */
async function takeOne(sql: Sql, { name, size, refillMs }: BucketLimit, now: number): Promise<TokenBucket | undefined> {
  if (size < 1) return undefined;
  const [bucket] = await sql<TokenBucket[]>`
    INSERT INTO token_buckets AS bucket (name, used, at, refill_ms) VALUES (${name}, 1, ${now}, ${refillMs})
    ON CONFLICT (name) DO UPDATE SET used = ${refilled(sql, size, refillMs, now)} + 1, at = ${timeAfter(sql, refillMs, now)},
      refill_ms = excluded.refill_ms
    WHERE ${refilled(sql, size, refillMs, now)} + 1 <= ${size + TOKEN_ROUNDING}::float8
    RETURNING used, at`;
  return bucket;
}

async function look(sql: Sql, limits: readonly BucketLimit[], now: number): Promise<TokenBucket[]> {
  const rows = await Promise.all(
    limits.map(
      ({ name, size, refillMs }) => sql<TokenBucket[]>`
        SELECT ${refilled(sql, size, refillMs, now)} AS used, ${timeAfter(sql, refillMs, now)} AS at
        FROM token_buckets AS bucket WHERE name = ${name}`,
    ),
  );
  return rows.map(([bucket]) => bucket ?? { used: 0, at: now });
}

/** Tokens still missing from a bucket now. A bucket written by a clock that was far ahead counts as full. */
const refilled = (sql: Sql, size: number, refillMs: number, now: number) => sql`
  CASE WHEN bucket.at - ${now}::bigint > ${refillMs}::bigint THEN 0::float8 ELSE least(${size}::float8,
    greatest(0, bucket.used - greatest(0, ${now}::bigint - bucket.at) * ${size / refillMs}::float8)) END`;

/** The clocks of two processes differ a little: apart from that, time never goes back. */
const timeAfter = (sql: Sql, refillMs: number, now: number) => sql`
  CASE WHEN bucket.at - ${now}::bigint > ${refillMs}::bigint THEN ${now}::bigint ELSE greatest(bucket.at, ${now}::bigint) END`;

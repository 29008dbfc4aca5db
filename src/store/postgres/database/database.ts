// The database as the adapter sees it: a pool of connections that runs queries and transactions.
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import postgres from 'postgres';
import { raceAbort } from '../../../util/abort.ts';
import { endsConnection, isConflict } from './faults.ts';
import { connectionLost, createReplaceablePool, type ReplaceablePool } from './pool.ts';
import { fromStoredText, toStoredText } from './stored-text.ts';

const TYPES = {
  /** Numbers of rows stay far below 2^53, so they are numbers in JavaScript, too. */
  bigint: { to: 20, from: [20], serialize: String, parse: Number },
  text: { to: 25, from: [25], serialize: toStoredText, parse: fromStoredText },
};
type Types = { bigint: number; text: string };

/** Runs queries: in a transaction, or each for itself on any connection of the pool. */
export type Sql = postgres.ISql<Types>;

export interface PostgresDatabase extends Pick<ReplaceablePool<Types>, 'generation' | 'replace'> {
  /** Each query for itself. */
  readonly sql: postgres.Sql<Types>;
  /**
   * Runs `work` as one transaction at the level READ COMMITTED: what is read to be changed must be locked (FOR UPDATE). It
   * runs again after a deadlock, so it may change nothing but rows.
   */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** Whether the database works on a query of this pool, asked over another connection. Rejects after `ms`. */
  isWorking(ms: number): Promise<boolean>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  /** Connections at most. */
  connections: number;
}

const CONNECT_SECONDS = 5;
/** Networks forget connections that nobody uses, without a word. */
const IDLE_SECONDS = 60;
/** Before a lost connection is opened again. The driver's own pause grows to 20 s when many are lost at once. */
const reconnectSeconds = () => 0.2;
const MAX_ATTEMPTS = 5;
const CLOSED_AFTER_MS = 1_000;
/** A process that stops in the middle of a transaction must not keep others from its rows. */
const SESSION = {
  lock_timeout: 30_000,
  statement_timeout: 60_000,
  idle_in_transaction_session_timeout: 30_000,
};

export function connect({ url, connections }: DatabaseOptions): PostgresDatabase {
  // Shown in the database's list of connections, where the pool has to find its own.
  const name = `trawl-${randomUUID()}`;
  const pool = createReplaceablePool(() =>
    postgres(url, {
      max: connections,
      idle_timeout: IDLE_SECONDS,
      connect_timeout: CONNECT_SECONDS,
      backoff: reconnectSeconds,
      connection: { application_name: name, ...SESSION },
      types: TYPES,
      transform: { undefined: null },
      onnotice: () => {},
    }),
  );

  return {
    ...pool,
    isWorking: (ms) => hasActiveQuery(url, name, ms),
    async transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
      for (let attempt = 1; ; attempt++) {
        try {
          return await raceAbort(runTransaction(pool, work), pool.generation());
        } catch (error) {
          if (attempt === MAX_ATTEMPTS || !isConflict(error)) throw error;
        }
        await wait(attempt * attempt * Math.random() * 10);
      }
    },
  };
}

/**
 * Once its connection is lost, nothing more may be sent for a transaction, not even a rollback: the driver would write to a
 * socket that it no longer has, or to the next session on the same connection.
 */
async function runTransaction<T>(
  pool: Pick<ReplaceablePool<Types>, 'begin'>,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  let isOver = false;
  // The driver rejects the transaction when its connection closes, and waits for nothing else then.
  const forever = new Promise<never>(() => {});
  const begun = pool.begin(async (inside) => {
    const guarded = new Proxy(inside, {
      apply(query, _, args) {
        if (isOver) throw connectionLost();
        return Reflect.apply(query, undefined, args);
      },
    });
    try {
      const result = await work(guarded);
      return isOver ? forever : result;
    } catch (error) {
      // The driver notices the end of the connection after the error, unless the error came from somewhere else.
      if (endsConnection(error)) await wait(CLOSED_AFTER_MS);
      if (isOver) return forever;
      throw error;
    }
  });
  try {
    return (await begun) as T;
  } finally {
    isOver = true;
  }
}

async function hasActiveQuery(url: string, name: string, ms: number): Promise<boolean> {
  const sql = postgres(url, {
    max: 1,
    connect_timeout: CONNECT_SECONDS,
    backoff: reconnectSeconds,
    onnotice: () => {},
  });
  const end = () => void sql.end({ timeout: 0 }).catch(() => {});
  // The driver itself would try forever to reach a database whose address accepts connections and closes them.
  const late = setTimeout(end, ms).unref();
  try {
    const found = await sql`
      SELECT 1 FROM pg_stat_activity WHERE application_name = ${name} AND state = 'active' LIMIT 1`;
    return found.length > 0;
  } finally {
    clearTimeout(late);
    end();
  }
}

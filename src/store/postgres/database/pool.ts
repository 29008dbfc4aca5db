// A pool of connections that is replaced after a loss. Everybody keeps the same `sql`, which uses the pool of the moment.
import type postgres from 'postgres';
import { endsConnection } from './faults.ts';

export interface ReplaceablePool<Types extends Record<string, unknown>> {
  readonly sql: postgres.Sql<Types>;
  /** A transaction on one connection of the pool of the moment. */
  begin<T>(work: (sql: postgres.TransactionSql<Types>) => Promise<T>): Promise<T>;
  /** Aborts when the pool of the moment is given up: nothing that runs on it will be answered. */
  generation(): AbortSignal;
  /** Gives all connections up, and what runs on them. Returns the error that its callers get. */
  replace(): Error;
  close(): Promise<void>;
}

interface Pool<Types extends Record<string, unknown>> {
  sql: postgres.Sql<Types>;
  givenUp: AbortController;
  hasAnswered: boolean;
}

const CLOSE_SECONDS = 5;
/** No statement of a pool that has been left takes longer. */
const LEFT_POOL_MS = 90_000;

export function createReplaceablePool<Types extends Record<string, unknown>>(
  open: () => postgres.Sql<Types>,
): ReplaceablePool<Types> {
  /** Pools that finish what they have begun. Their connections close when they have been idle for a while. */
  const left = new Set<Pool<Types>>();
  const openPool = (): Pool<Types> => ({ sql: open(), givenUp: new AbortController(), hasAnswered: false });
  let current = openPool();

  /**
   * After a loss, the driver forgets queries that it was handed before it noticed the loss, or it never sends
   * anything again on the connection. So after the first loss nothing new is handed to the same pool.
   */
  const leave = (pool: Pool<Types>) => {
    if (pool !== current || !pool.hasAnswered) return;
    current = openPool();
    left.add(pool);
    setTimeout(() => giveUp(pool, connectionLost()), LEFT_POOL_MS).unref();
  };

  const giveUp = (pool: Pool<Types>, lost: Error) => {
    left.delete(pool);
    // The driver rejects queries, but a transaction would wait for the end of its connection.
    pool.givenUp.abort(lost);
    void pool.sql.end({ timeout: 0 }).catch(() => {});
  };

  /** Comes before all others who wait for the same query. Unlike its own `then`, this does not send it. */
  const observe = <P>(pool: Pool<Types>, query: P): P => {
    if (query instanceof Promise) {
      const answered = () => {
        pool.hasAnswered = true;
      };
      Promise.prototype.then.call(query, answered, (error) => endsConnection(error) && leave(pool));
    }
    return query;
  };

  const sql = new Proxy(current.sql, {
    apply: (_, __, args) => observe(current, Reflect.apply(current.sql, undefined, args)),
    get: (_, name) => Reflect.get(current.sql, name),
  });

  return {
    sql,
    begin<T>(work: (sql: postgres.TransactionSql<Types>) => Promise<T>) {
      const pool = current;
      const begun = pool.sql.begin((inside) =>
        work(new Proxy(inside, { apply: (query, _, args) => observe(pool, Reflect.apply(query, undefined, args)) })),
      );
      return observe(pool, begun) as Promise<T>;
    },
    generation: () => current.givenUp.signal,
    replace() {
      const lost = connectionLost();
      const pools = [...left, current];
      current = openPool();
      for (const pool of pools) giveUp(pool, lost);
      return lost;
    },
    close: async () =>
      void (await Promise.all([...left, current].map((pool) => pool.sql.end({ timeout: CLOSE_SECONDS })))),
  };
}

export const connectionLost = (): Error =>
  Object.assign(new Error('The database has stopped to answer.'), { code: 'CONNECTION_DESTROYED' });

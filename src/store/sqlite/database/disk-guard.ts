// What happens when the disk cannot be written or read. On a full disk, room is made and the call is repeated once there
// is some. Everything else becomes an error that says what is wrong.

import { asDiskError } from '../../../contracts/errors/disk-error.ts';
import { diskFaultOf } from '../../../runtime/sqlite/disk-fault.ts';
import type { Reserve } from '../../data-folder/reserve.ts';
import type { Awaitable } from '../../sql/database.ts';

/** Removes about `limit` things that can be spared, and returns how many it removed. */
export type Evict = (limit: number) => Awaitable<number>;

export interface DiskGuard {
  /** Runs a call of the store. Calls are transactions, so one that failed can be repeated. */
  run<T>(call: () => Awaitable<T>): Promise<T>;
  /** Writes the reserve again, if there is space for it. */
  refill(): void;
  /** Succeeds only if there is space again for what the next calls will write. */
  probe(): Promise<void>;
}

export interface DiskGuardDeps {
  reserve: Reserve;
  /** In the order in which things are given up. */
  evictors: readonly Evict[];
  /** Moves the log of the database into its file, so that the log begins again and grows no further. */
  checkpoint(): void;
  /** Writes one row. */
  touch(): Awaitable<void>;
}

/** Each round removes twice as much as the one before. The first are small, because removing rows takes space, too. */
const ROUNDS = 9;

export function createDiskGuard({ reserve, evictors, checkpoint, touch }: DiskGuardDeps): DiskGuard {
  const quietly = async (work: () => Awaitable<void>): Promise<boolean> => {
    try {
      await work();
      return true;
    } catch (error) {
      if (diskFaultOf(error) === undefined) throw error;
      return false;
    }
  };

  /** False if there is nothing left that could be given up, or if not even that can be written. */
  const evictSome = async (round: number): Promise<boolean> => {
    let removed = 0;
    const evictWith = async (evict: Evict) => {
      removed += await evict(2 ** round);
    };
    for (const evict of evictors) {
      if (!(await quietly(() => evictWith(evict)))) return false;
      if (removed > 0) break;
    }
    await quietly(checkpoint);
    return removed > 0;
  };

  const makeRoomFor = async <T>(call: () => Awaitable<T>, problem: unknown): Promise<T> => {
    reserve.drop();
    await quietly(checkpoint);
    let last = problem;
    for (let round = 0; round < ROUNDS; round++) {
      const hasEvicted = await evictSome(round);
      try {
        return await call();
      } catch (error) {
        if (diskFaultOf(error) !== 'full') throw error;
        last = error;
      }
      if (!hasEvicted) break;
    }
    throw last;
  };

  const fillReserve = async () => {
    for (let round = 0; round < ROUNDS; round++) {
      if ((await quietly(reserve.fill)) || !(await evictSome(round))) return;
    }
  };

  const repeat = async <T>(call: () => Awaitable<T>, problem: unknown): Promise<T> => {
    const value = await makeRoomFor(call, problem);
    await fillReserve();
    return value;
  };

  const run = async <T>(call: () => Awaitable<T>): Promise<T> => {
    try {
      try {
        return await call();
      } catch (error) {
        if (diskFaultOf(error) === 'full') return await repeat(call, error);
        throw error;
      }
    } catch (error) {
      throw asDiskError(error);
    }
  };

  return {
    run,
    refill: () => void quietly(reserve.fill),
    probe: () =>
      run(() => {
        reserve.fill();
        return touch();
      }),
  };
}

/** The same port, with every call under the guard. */
export function guardCalls<Port extends object>(port: Port, guard: Pick<DiskGuard, 'run'>): Port {
  const guarded = Object.entries(port).map(([name, member]) => [
    name,
    typeof member === 'function' ? guardCall(member as Call, guard) : guardCalls(member as object, guard),
  ]);
  return Object.fromEntries(guarded) as Port;
}

type Call = (...args: unknown[]) => unknown;

const guardCall =
  (call: Call, guard: Pick<DiskGuard, 'run'>): Call =>
  (...args) =>
    guard.run(() => call(...args));

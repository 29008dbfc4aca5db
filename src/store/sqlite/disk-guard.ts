// What happens when the disk cannot be written or read. On a full disk, room is made and the call is repeated once there
// is some. Everything else becomes an error that says what is wrong.

import { asDiskError } from '../../contracts/disk-error.ts';
import { diskFaultOf } from '../../util/disk-fault.ts';
import type { Reserve } from '../fs/reserve.ts';

/** Removes about `limit` things that can be spared, and returns how many it removed. */
export type Evict = (limit: number) => number;

export interface DiskGuard {
  /** Runs a call of the store. Calls are transactions, so one that failed can be repeated. */
  run<T>(call: () => T): T;
  /** Writes the reserve again, if there is space for it. */
  refill(): void;
  /** Succeeds only if there is space again for what the next calls will write. */
  probe(): void;
}

export interface DiskGuardDeps {
  reserve: Reserve;
  /** In the order in which things are given up. */
  evictors: readonly Evict[];
  /** Moves the log of the database into its file, so that the log begins again and grows no further. */
  checkpoint(): void;
  /** Writes one row. */
  touch(): void;
}

/** Each round removes twice as much as the one before. The first are small, because removing rows takes space, too. */
const ROUNDS = 9;

export function createDiskGuard({ reserve, evictors, checkpoint, touch }: DiskGuardDeps): DiskGuard {
  const quietly = (work: () => void): boolean => {
    try {
      work();
      return true;
    } catch (error) {
      if (diskFaultOf(error) === undefined) throw error;
      return false;
    }
  };

  /** False if there is nothing left that could be given up, or if not even that can be written. */
  const evictSome = (round: number): boolean => {
    let removed = 0;
    for (const evict of evictors) {
      if (!quietly(() => (removed += evict(2 ** round)))) return false;
      if (removed > 0) break;
    }
    quietly(checkpoint);
    return removed > 0;
  };

  const makeRoomFor = <T>(call: () => T, problem: unknown): T => {
    reserve.drop();
    quietly(checkpoint);
    let last = problem;
    for (let round = 0; round < ROUNDS; round++) {
      const hasEvicted = evictSome(round);
      try {
        return call();
      } catch (error) {
        if (diskFaultOf(error) !== 'full') throw error;
        last = error;
      }
      if (!hasEvicted) break;
    }
    throw last;
  };

  const fillReserve = () => {
    for (let round = 0; round < ROUNDS; round++) {
      if (quietly(reserve.fill) || !evictSome(round)) return;
    }
  };

  const repeat = <T>(call: () => T, problem: unknown): T => {
    const value = makeRoomFor(call, problem);
    fillReserve();
    return value;
  };

  const run = <T>(call: () => T): T => {
    try {
      try {
        return call();
      } catch (error) {
        if (diskFaultOf(error) === 'full') return repeat(call, error);
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
        touch();
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
  (...args) => {
    const answer = guard.run(() => call(...args));
    if (!(answer instanceof Promise)) return answer;
    return answer.catch((error: unknown) => {
      throw asDiskError(error);
    });
  };

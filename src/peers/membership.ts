// This process among those that share its store: it says that it is alive, and knows who else is.

import type { Log } from '../runtime/log.ts';
import type { ProcessFacts, ProcessRegistry, ProcessRow } from '../store/ports/process-registry.ts';
import type { Clock } from '../util/clock.ts';
import type { ProcessProofs } from './process-proof.ts';

export interface Membership {
  readonly id: string;
  /** Registers the process, which listens from now on, and renews that. */
  join(): Promise<void>;
  /** The others that were alive a moment ago. */
  others(): readonly ProcessRow[];
  /** Undefined if it is dead, or this process itself. */
  find(id: string): Promise<ProcessRow | undefined>;
  /** All that are alive, this one included. */
  list(): Promise<ProcessRow[]>;
  /** It is about to stop: others choose it for nothing new. Never rejects. */
  retire(): Promise<void>;
  /** No other process calls this one from now on. */
  leave(): Promise<void>;
}

interface Deps {
  /** Random, new with every start. */
  id: string;
  processes: ProcessRegistry;
  proofs: ProcessProofs;
  /** Called at each renewal. */
  describe(): Omit<ProcessFacts, 'id' | 'startedAt' | 'proof'>;
  /** The row was gone, and everything that belongs to it with it. */
  onForgotten(): Promise<void>;
  /** False: nobody else could look. */
  isShared: boolean;
  clock: Clock;
  log: Log;
}

/** A process is dead that has not done so for four times as long, see store/ports/process-registry.ts. */
const RENEW_MS = 5_000;
const NO_ROOM = { hasBrowser: false, freePages: 0, freeSessions: 0 };

export function createMembership(deps: Deps): Membership {
  const { id, processes, proofs, describe, onForgotten, isShared, clock, log } = deps;
  const leaving = new AbortController();
  const startedAt = clock.now();
  let known: ProcessRow[] = [];
  let hasFailed = false;
  let isRetiring = false;
  let renewing: Promise<void> = Promise.resolve();

  /** Those that do not know the secret are nobody. */
  const look = async () => {
    known = (await processes.list(clock.now())).filter(proofs.isGood);
  };
  const renew = async (): Promise<boolean> => {
    const facts = { ...describe(), ...(isRetiring && NO_ROOM), id, startedAt };
    const isNew = await processes.renew({ ...facts, proof: proofs.of(facts) }, clock.now());
    await look();
    return isNew;
  };
  const renewOften = async () => {
    for (;;) {
      await clock.sleep(RENEW_MS, leaving.signal);
      try {
        if (await renew()) await onForgotten();
        hasFailed = false;
      } catch (error) {
        if (!hasFailed) log.warn({ err: error }, 'this process could not say that it is alive');
        hasFailed = true;
      }
    }
  };
  return {
    id,
    async join() {
      await renew().catch((error: unknown) => log.warn({ err: error }, 'this process could not register yet'));
      // The sleep rejects when the process leaves.
      if (isShared) renewing = renewOften().catch(() => {});
    },
    others: () => known.filter((each) => each.id !== id),
    async find(wanted) {
      if (wanted === id) return undefined;
      const isWanted = (each: ProcessRow) => each.id === wanted;
      const found = known.find(isWanted);
      if (found) return found;
      // It may have started a moment ago.
      await look();
      return known.find(isWanted);
    },
    async list() {
      if (!isShared) await renew();
      return processes.list(clock.now());
    },
    async retire() {
      isRetiring = true;
      if (isShared) await renew().catch(() => {});
    },
    async leave() {
      leaving.abort();
      await renewing;
      await processes.leave(id).catch((error: unknown) => log.warn({ err: error }, 'this process stays registered'));
    },
  };
}

// Notices that the database has stopped to answer: a network may drop packets for minutes before a connection fails by itself.
import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { raceAbort } from '../../../util/abort.ts';
import type { PostgresDatabase } from './database.ts';

export interface WatchdogTimes {
  /** After this time without any answer, the watchdog sends a simple query ... */
  silentMs: number;
  /** ... which the database has to answer within this time. */
  answerMs: number;
  /** No call waits longer for the database, which ends each of its statements much earlier. */
  longestMs: number;
}

export interface Watchdog {
  /** Runs a call. Rejects when its connection has been given up; at once while the database is known not to answer. */
  watch<T>(call: () => Promise<T>): Promise<T>;
  /** Like `watch`, also while the database does not answer: its success ends that. */
  probe(call: () => Promise<void>): Promise<void>;
  /** Runs a part of a call that waits for something else, such as a large file on its way to the object store. */
  elsewhere<T>(part: () => Promise<T>): Promise<T>;
  /** The process is about to stop: from now on, the database has to answer sooner. */
  hurry(): void;
}

interface PendingCall {
  /** When it began, or came back from elsewhere. */
  since: number;
  /** How many parts of it wait for something else than the database. */
  elsewhere: number;
}

interface WatchdogDeps {
  database: Pick<PostgresDatabase, 'sql' | 'generation' | 'replace' | 'isWorking'>;
  times?: Partial<WatchdogTimes>;
}

const TIMES: WatchdogTimes = { silentMs: 5_000, answerMs: 5_000, longestMs: 120_000 };
/** A process that is told to stop has ten seconds for everything. */
const HURRIED = { silentMs: 1_000, answerMs: 2_000 };

export function createWatchdog({ database, times }: WatchdogDeps): Watchdog {
  const { longestMs } = { ...TIMES, ...times };
  let { silentMs, answerMs } = { ...TIMES, ...times };
  const pending = new Set<PendingCall>();
  const currentCall = new AsyncLocalStorage<PendingCall>();
  let lastAnswer = performance.now();
  let timer: NodeJS.Timeout | undefined;
  /** What callers get while the database does not answer. */
  let cutOff: Error | undefined;

  /** Asks over the pool and beside it: busy connections with slow statements must not be ended. */
  async function isAnswering(): Promise<boolean> {
    const { sql } = database;
    const working = database.isWorking(answerMs).then((isWorking) => isWorking || Promise.reject());
    const answered = Promise.any([sql`SELECT 1`, working]).then(
      () => true,
      () => false,
    );
    // A busy process reads what has arrived in time before it says that nothing has.
    const late = wait(answerMs, undefined, { ref: false }).then(() => nextTurn(false));
    return Promise.race([answered, late]);
  }

  async function check(): Promise<void> {
    const now = performance.now();
    const atDatabase = [...pending].filter(({ elsewhere }) => elsewhere === 0);
    const oldest = Math.min(...atDatabase.map(({ since }) => since));
    if (now - oldest > longestMs) return giveUp();
    if (now - Math.max(lastAnswer, oldest) < silentMs) return;
    if (await isAnswering()) note();
    else if (pending.size > 0 && lastAnswer < now) giveUp();
  }

  const note = () => {
    lastAnswer = performance.now();
  };
  const giveUp = () => {
    note();
    cutOff = database.replace();
  };

  const checkLater = () => {
    timer ??= setTimeout(async () => {
      await check().catch(giveUp);
      timer = undefined;
      if (pending.size > 0) checkLater();
    }, silentMs / 2).unref();
  };

  async function run<T>(call: () => Promise<T>): Promise<T> {
    const entry: PendingCall = { since: performance.now(), elsewhere: 0 };
    pending.add(entry);
    checkLater();
    try {
      const result = await raceAbort(currentCall.run(entry, call), database.generation());
      // Failures do not count as answers: while a network drops packets, opening connections fails again and again.
      note();
      return result;
    } finally {
      pending.delete(entry);
    }
  }

  return {
    watch: (call) => (cutOff ? Promise.reject(cutOff) : run(call)),
    async probe(call) {
      await run(call);
      cutOff = undefined;
    },
    async elsewhere(part) {
      const call = currentCall.getStore();
      if (!call) return part();
      call.elsewhere += 1;
      try {
        return await part();
      } finally {
        call.elsewhere -= 1;
        call.since = performance.now();
      }
    },
    hurry() {
      silentMs = Math.min(silentMs, HURRIED.silentMs);
      answerMs = Math.min(answerMs, HURRIED.answerMs);
      clearTimeout(timer);
      timer = undefined;
      if (pending.size > 0) checkLater();
    },
  };
}

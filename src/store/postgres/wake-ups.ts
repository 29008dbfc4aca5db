// Wake-ups between processes by LISTEN and NOTIFY, on a connection of their own that comes back by itself. NOTIFY takes a lock
// of the whole server when it commits, so each process sends at most ten a second, outside of transactions.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { raceTimeout } from '../../util/abort.ts';
import { createLocalWakeUps } from '../calls/local-wake-ups.ts';
import type { Topic, WakeUps } from '../ports/wake-ups.ts';
import { type ListeningSql, openListener } from './database/listener.ts';

export interface WakeUpTimes {
  /** Between two messages of this process. */
  gatherMs: number;
  /** Between two looks at whether the connection still answers ... */
  pulseMs: number;
  /** ... and how long that may take. */
  answerMs: number;
  /** Before the connection is opened again. */
  reconnectMs: number;
}

interface PostgresWakeUpsOptions {
  url: string;
  times?: Partial<WakeUpTimes>;
}

const TIMES: WakeUpTimes = { gatherMs: 100, pulseMs: 5_000, answerMs: 5_000, reconnectMs: 1_000 };
const CHANNEL = 'trawl';
/** The server refuses payloads of 8,000 bytes. */
const MAX_BYTES = 7_000;

/** What a process says: its name, and the keys of each topic. An empty list means that anything may be new. */
type Message = [sender: string, topics: Partial<Record<Topic, string[]>>];

export function createPostgresWakeUps({ url, times }: PostgresWakeUpsOptions): WakeUps {
  const { gatherMs, pulseMs, answerMs, reconnectMs } = { ...TIMES, ...times };
  const self = randomUUID();
  const local = createLocalWakeUps();
  const closing = new AbortController();
  const outbox = createOutbox(gatherMs, (topics) => void send(topics));
  let connected: ListeningSql | undefined;

  const pause = (ms: number, signal = closing.signal) => sleep(ms, undefined, { signal, ref: false }).catch(() => {});

  const receive = (payload: string) => {
    const [sender, topics] = parseMessage(payload);
    if (sender === self) return;
    for (const [topic, keys] of Object.entries(topics)) {
      if (keys.length === 0) local.receive(topic as Topic);
      for (const key of keys) local.receive(topic as Topic, key);
    }
  };

  /** Whatever is lost here is found by looking. */
  async function send(topics: Message[1]): Promise<void> {
    await connected?.notify(CHANNEL, JSON.stringify([self, topics] satisfies Message)).catch(() => {});
  }

  /** Returns when the connection is lost. */
  async function listen(): Promise<void> {
    const lost = new AbortController();
    const sql = openListener(url, { onNotify: receive, onClose: () => lost.abort() });
    const either = AbortSignal.any([lost.signal, closing.signal]);
    /** A query that is not answered in time ends the connection, too. */
    const answer = async (query: PromiseLike<unknown>) => {
      const late = () => lost.abort();
      await raceTimeout(Promise.resolve(query), answerMs, late, { signal: closing.signal });
    };
    try {
      await answer(sql.unsafe(`LISTEN ${CHANNEL}`));
      if (either.aborted) return;
      connected = sql;
      local.receiveAll();
      for (await pause(pulseMs, either); !either.aborted; await pause(pulseMs, either)) await answer(sql`SELECT 1`);
    } finally {
      connected = undefined;
      void sql.end({ timeout: 0 }).catch(() => {});
    }
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      await listen().catch(() => {});
      await pause(reconnectMs * (0.5 + Math.random()));
    }
  }
  const running = run();

  return {
    isShared: true,
    notify(topic, key) {
      local.notify(topic, key);
      outbox.add(topic, key);
    },
    on: local.on,
    async close() {
      outbox.close();
      closing.abort();
      await running;
    },
  };
}

function parseMessage(payload: string): Message {
  try {
    return JSON.parse(payload);
  } catch {
    return ['', {}];
  }
}

/** Gathers what is to be said. The first thing after a silence is said at once. */
function createOutbox(gatherMs: number, send: (topics: Message[1]) => void) {
  let waiting = new Map<Topic, Set<string>>();
  let timer: NodeJS.Timeout | undefined;

  const flush = () => {
    timer = undefined;
    if (waiting.size === 0) return;
    const topics = waiting;
    waiting = new Map();
    timer = setTimeout(flush, gatherMs).unref();
    send(shorten(topics));
  };

  return {
    add(topic: Topic, key: string | undefined) {
      const keys = waiting.get(topic);
      // Without a key it is about all of them.
      if (key === undefined) waiting.set(topic, new Set());
      else if (!keys) waiting.set(topic, new Set([key]));
      else if (keys.size > 0) keys.add(key);
      // In a turn of its own: what follows at once goes with it.
      timer ??= setTimeout(flush, 0).unref();
    },
    close: () => clearTimeout(timer),
  };
}

/** Topics with too many keys are sent without them. */
function shorten(topics: ReadonlyMap<Topic, ReadonlySet<string>>): Message[1] {
  const share = MAX_BYTES / topics.size;
  return Object.fromEntries(
    [...topics].map(([topic, keys]) => [topic, Buffer.byteLength(JSON.stringify([...keys])) > share ? [] : [...keys]]),
  );
}

// Our own models: the classifier that finds names, the reader that finds answers, and the encoder that says how alike texts
// are. One thread serves them and all teams in turn, a piece of work at a time; it starts with the first and ends when idle.
import { ServiceError } from '../contracts/errors/errors.ts';
import type { Asker } from '../runtime/gate/gate.ts';
import { createThreadPool } from '../runtime/threads/thread-pool.ts';
import type { ThreadSlot } from '../runtime/threads/threads.ts';
import type { TextVector } from '../text/text-vectors.ts';
import { raceAbort, raceTimeout } from '../util/abort.ts';
import type { EncoderName, EncoderThread } from './encoder-thread.ts';
import { runtimeProblem } from './model-runtime/model-runtime.ts';
import type { LabelledSpan } from './names/label-spans.ts';
import { textChunks } from './names/text-chunks.ts';
import type { ClassifierMode } from './names/token-classifier.ts';
import type { Reading, ReadingTask } from './reader/reading.ts';

/** Port: finds names of persons and places in texts of any length. */
export interface Classifier {
  /** One sentence for callers if it cannot run. */
  unavailable(): string | undefined;
  /** Sorted and disjoint, with organisations. Throws ServiceError. */
  find(text: string, mode: ClassifierMode, asker: Asker, signal: AbortSignal): Promise<LabelledSpan[]>;
}

/** Port: finds the pieces of a text that answer questions. */
export interface Reader {
  /** One sentence for callers if it cannot run. */
  unavailable(): string | undefined;
  /** One answer for each question. Undefined if the reader failed, because callers have another way. */
  read(task: ReadingTask, asker: Asker, signal: AbortSignal): Promise<Reading[] | undefined>;
}

/** Port: tells texts by their meaning. */
export interface SentenceVectors {
  /** Vectors of models with other names cannot be compared. */
  readonly name: string;
  /** One sentence for callers if it cannot run. */
  unavailable(): string | undefined;
  /** One vector for each text, of its first words. Throws ServiceError. */
  encode(texts: readonly string[], asker: Asker, signal: AbortSignal): Promise<TextVector[]>;
}

export interface Encoders {
  classifier: Classifier;
  reader: Reader;
  sentences: SentenceVectors;
  close(): Promise<void>;
}

interface EncoderOptions {
  /** How long the idle thread is kept. */
  idleMs?: number;
  /** How long a piece of text or a question may take before the thread is ended, in addition to a time for its size. */
  pieceTimeoutMs?: number;
  entry?: URL;
}

const ENTRY = new URL('./encoder-thread.ts', import.meta.url);
const MAX_MEMORY_MB = 512;
const LOAD_MS = 60_000;
/** A hundred times what it takes on an idle machine. */
const MS_PER_CHARACTER = 3;
/** Twenty times what it takes on an idle machine. */
const MS_PER_RUN = 800;
/** Longer than what is under way usually takes. */
const CLOSE_MS = 10_000;
const NEVER = new AbortController().signal;
/** So many texts are encoded before others have their turn. */
const TEXTS_IN_TURN = 8;
const SENTENCES_NAME = 'all-MiniLM-L6-v2';

const noop = () => {};

type Work<Result> = (slot: ThreadSlot<EncoderThread>) => Promise<Result>;

export function createEncoders(options: EncoderOptions = {}): Encoders {
  const { idleMs = 60_000, pieceTimeoutMs = 15_000, entry = ENTRY } = options;
  const pool = createThreadPool<EncoderThread>({
    entry,
    workers: 1,
    maxMemoryMb: MAX_MEMORY_MB,
    closedError: () => new ServiceError('SERVICE_UNAVAILABLE'),
  });
  /**
   * What runs in the thread is not interrupted: it is short, a new thread would have to load its models again, and a process
   * that exits after a thread was ended within the native library aborts.
   */
  const underWay = new Set<Promise<void>>();
  let isClosing = false;
  /** The threads that have loaded a model: loading is not part of the time of a call. */
  const loaded = { names: new WeakSet<object>(), reader: new WeakSet<object>(), sentences: new WeakSet<object>() };

  const inTurn = <Result>(
    { encoder, size, extraMs }: { encoder: EncoderName; size: number; extraMs: number },
    work: Work<Result>,
    asker: Asker,
    outer: AbortSignal,
  ): Promise<Result> => {
    const kind = `${encoder} 2^${Math.ceil(Math.log2(size + 1))}`;
    const running = pool.run({ asker, kind, signal: outer }, async (threads) => {
      if (isClosing) throw new ServiceError('SERVICE_UNAVAILABLE');
      let slot = threads.take();
      if (!loaded[encoder].has(slot)) {
        await threads.call(slot, { limitMs: LOAD_MS, keepMs: idleMs }, ({ remote }) => remote.load(encoder), NEVER);
        loaded[encoder].add(slot);
        slot = threads.take((each) => each === slot);
      }
      return threads.call(slot, { limitMs: pieceTimeoutMs + extraMs, keepMs: idleMs }, work, NEVER);
    });
    const ended = running.then(noop, noop).finally(() => underWay.delete(ended));
    underWay.add(ended);
    return raceAbort(running, outer);
  };

  const classifier: Classifier = {
    unavailable: () => runtimeProblem(),
    async find(text, mode, asker, signal) {
      const problem = runtimeProblem();
      if (problem !== undefined) throw new ServiceError('PII_MODEL_UNAVAILABLE', { message: problem });
      const spans: LabelledSpan[] = [];
      for (const { start, end } of textChunks(text)) {
        const piece = text.slice(start, end);
        if (!/\p{L}/u.test(piece)) continue;
        const size = { encoder: 'names', size: piece.length, extraMs: piece.length * MS_PER_CHARACTER } as const;
        const found = await inTurn(size, ({ remote }) => remote.find(piece, mode), asker, signal).catch(
          (cause: unknown) => {
            signal.throwIfAborted();
            throw cause instanceof ServiceError ? cause : new ServiceError('REDACTION_FAILED', { cause });
          },
        );
        for (const span of found) spans.push({ ...span, start: span.start + start, end: span.end + start });
      }
      return spans;
    },
  };

  const reader: Reader = {
    unavailable: () => runtimeProblem(),
    async read({ questions, maxRuns, ...text }, asker, signal) {
      const readings: Reading[] = [];
      let left = maxRuns;
      try {
        for (const [at, question] of questions.entries()) {
          const runs = Math.max(1, Math.floor(left / (questions.length - at)));
          const size = { encoder: 'reader', size: runs, extraMs: runs * MS_PER_RUN } as const;
          const reading = await inTurn(size, ({ remote }) => remote.read(text, question, runs), asker, signal);
          left -= reading.read;
          readings.push(reading);
        }
        return readings;
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof ServiceError) throw error;
        return undefined;
      }
    },
  };

  const sentences: SentenceVectors = {
    name: SENTENCES_NAME,
    unavailable: () => runtimeProblem(),
    async encode(texts, asker, signal) {
      const problem = runtimeProblem();
      if (problem !== undefined) throw new ServiceError('ENCODER_UNAVAILABLE', { message: problem });
      const vectors: TextVector[] = [];
      for (let from = 0; from < texts.length; from += TEXTS_IN_TURN) {
        const group = texts.slice(from, from + TEXTS_IN_TURN);
        const size = { encoder: 'sentences', size: group.length, extraMs: group.length * MS_PER_RUN } as const;
        const encoded = await inTurn(size, ({ remote }) => remote.encode(group), asker, signal).catch(
          (cause: unknown) => {
            signal.throwIfAborted();
            throw cause instanceof ServiceError ? cause : new ServiceError('ENCODING_FAILED', { cause });
          },
        );
        vectors.push(...encoded);
      }
      return vectors;
    },
  };

  return {
    classifier,
    reader,
    sentences,
    async close() {
      isClosing = true;
      await raceTimeout(Promise.all(underWay), CLOSE_MS, noop);
      await pool.close();
    },
  };
}

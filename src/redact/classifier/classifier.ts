// Finds names of persons and places in texts of any length. One thread serves all teams in turn, a piece of text at a time;
// it starts with the first text and ends when idle.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { Asker } from '../../runtime/gate/gate.ts';
import { createThreadPool } from '../../runtime/threads/thread-pool.ts';
import type { ClassifierThread } from './classifier-thread.ts';
import type { LabelledSpan } from './label-spans.ts';
import { runtimeProblem } from './model-runtime/model-runtime.ts';
import { textChunks } from './text-chunks.ts';
import type { ClassifierMode } from './token-classifier.ts';

export interface Classifier {
  /** One sentence for callers if it cannot run. */
  unavailable(): string | undefined;
  /** Sorted and disjoint, with organisations. Throws ServiceError. */
  find(text: string, mode: ClassifierMode, asker: Asker, signal: AbortSignal): Promise<LabelledSpan[]>;
  close(): Promise<void>;
}

interface ClassifierOptions {
  /** How long the idle thread is kept. */
  idleMs?: number;
  /** How long a piece of text may take before the thread is ended, in addition to a time for each character. */
  pieceTimeoutMs?: number;
  entry?: URL;
}

const ENTRY = new URL('./classifier-thread.ts', import.meta.url);
const MAX_MEMORY_MB = 512;
/** A hundred times what it takes on an idle machine. */
const MS_PER_CHARACTER = 3;

export function createClassifier(options: ClassifierOptions = {}): Classifier {
  const { idleMs = 60_000, pieceTimeoutMs = 15_000, entry = ENTRY } = options;
  const pool = createThreadPool<ClassifierThread>({
    entry,
    workers: 1,
    maxMemoryMb: MAX_MEMORY_MB,
    closedError: () => new ServiceError('SERVICE_UNAVAILABLE'),
  });

  function findInPiece(text: string, mode: ClassifierMode, asker: Asker, outer: AbortSignal): Promise<LabelledSpan[]> {
    const kind = `2^${Math.ceil(Math.log2(text.length + 1))}`;
    const limits = { limitMs: pieceTimeoutMs + text.length * MS_PER_CHARACTER, keepMs: idleMs };
    return pool.run({ asker, kind, signal: outer }, (threads, signal) =>
      threads
        .call(threads.take(), limits, ({ remote }) => remote.find(text, mode), signal)
        .catch((cause: unknown) => {
          signal.throwIfAborted();
          throw new ServiceError('REDACTION_FAILED', { cause });
        }),
    );
  }

  return {
    unavailable: () => runtimeProblem(),
    async find(text, mode, asker, signal) {
      const problem = runtimeProblem();
      if (problem !== undefined) throw new ServiceError('PII_MODEL_UNAVAILABLE', { message: problem });
      const spans: LabelledSpan[] = [];
      for (const { start, end } of textChunks(text)) {
        const piece = text.slice(start, end);
        if (!/\p{L}/u.test(piece)) continue;
        for (const span of await findInPiece(piece, mode, asker, signal)) {
          spans.push({ ...span, start: span.start + start, end: span.end + start });
        }
      }
      return spans;
    },
    close: pool.close,
  };
}

// Port: redacts a page in threads. Whatever goes wrong is an error: no page leaves here unredacted.
import { availableParallelism } from 'node:os';
import { ServiceError } from '../contracts/errors/errors.ts';
import { needsClassifier, type RedactionOptions } from '../contracts/scrape/redaction.ts';
import type { Classifier } from '../encoders/encoders.ts';
import type { Asker } from '../runtime/gate/gate.ts';
import { createThreadPool } from '../runtime/threads/thread-pool.ts';
import type { CallLimits, ThreadSlot } from '../runtime/threads/threads.ts';
import type { RedactThread, SerialisedPage } from './redact-thread.ts';

export interface Redactor {
  /** One sentence for callers if this server cannot redact like that. */
  unavailable(options: RedactionOptions): string | undefined;
  redact(page: SerialisedPage, options: RedactionOptions, asker: Asker, signal: AbortSignal): Promise<SerialisedPage>;
  close(): Promise<void>;
}

const ENTRY = new URL('./redact-thread.ts', import.meta.url);
const MAX_MEMORY_MB = 512;
const IDLE_MS = 30_000;
/** How long a page may take: some seconds, and more for long ones. */
const BASE_MS = 20_000;
const MS_PER_KB = 10;

type Work<Result> = (slot: ThreadSlot<RedactThread>) => Promise<Result>;

export function createRedactor(classifier: Classifier): Redactor {
  const pool = createThreadPool<RedactThread>({
    entry: ENTRY,
    workers: availableParallelism(),
    spare: 1,
    maxMemoryMb: MAX_MEMORY_MB,
    closedError: () => new ServiceError('SERVICE_UNAVAILABLE'),
  });

  const run = <Result>(work: Work<Result>, limits: CallLimits, asker: Asker, outer: AbortSignal): Promise<Result> =>
    pool.run({ asker, kind: 'redact', signal: outer }, (threads, signal) =>
      threads.call(threads.take(), limits, work, signal).catch((cause: unknown) => {
        signal.throwIfAborted();
        throw new ServiceError('REDACTION_FAILED', { cause });
      }),
    );

  return {
    unavailable: (options) => (needsClassifier(options) ? classifier.unavailable() : undefined),
    async redact(page, options, asker, signal) {
      const limits = { limitMs: BASE_MS + (sizeOf(page) / 1024) * MS_PER_KB, keepMs: IDLE_MS };
      const { mode } = options;
      if (mode === 'fast' || !needsClassifier(options)) {
        return run(({ remote }) => remote.redact(page, options, []), limits, asker, signal);
      }
      const sentences = await run(({ remote }) => remote.sentences(page), limits, asker, signal);
      const spans = await classifier.find(sentences, mode, asker, signal);
      return run(({ remote }) => remote.redact(page, options, spans), limits, asker, signal);
    },
    close: pool.close,
  };
}

const sizeOf = ({ content, source }: SerialisedPage): number =>
  content.byteLength + source.markdown.length + (source.html?.length ?? 0);

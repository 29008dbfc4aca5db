// Gives the pages of the index their vectors, while no pages come in. Where it stopped is known to the index, so it goes on after
// a restart with the next page or search.
import type { SentenceVectors } from '../../encoders/encoders.ts';
import type { PageIndex } from '../../index/page-index.ts';
import { OWN_WORK } from '../../runtime/gate/gate.ts';
import type { Log } from '../../runtime/log.ts';
import type { Clock } from '../../util/clock.ts';

export interface Vectoriser {
  /** Call when pages come in: what runs stops, and goes on when it has been quiet for a while. */
  later(): void;
  /** Call when somebody searches: pages may still lack vectors. */
  soon(): void;
  close(): Promise<void>;
}

export interface VectoriserDeps {
  index: Pick<PageIndex, 'missingVectors' | 'addVectors'>;
  sentences: SentenceVectors;
  clock: Pick<Clock, 'now'>;
  log: Pick<Log, 'warn'>;
  quietMs?: number;
  /** Absent where no other process has the same index. Resolves to whether it is this process that goes on now. */
  takeTurn?(): Promise<boolean>;
}

const QUIET_MS = 3_000;
/** Where pages come in all day, they do not wait longer than this. The thread of the encoder has a low priority. */
const PATIENCE_MS = 10 * 60_000;
const BATCH = 16;
/** So few that a query, which needs the same thread, hardly waits. */
const AT_ONCE = 2;

export function createVectoriser(deps: VectoriserDeps): Vectoriser {
  const { index, sentences, clock, log, quietMs = QUIET_MS, takeTurn = async () => true } = deps;
  const closing = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isInterrupted = false;
  /** Since when pages wait. */
  let waitingSince: number | undefined;

  const isPatient = () => waitingSince === undefined || clock.now() - waitingSince < PATIENCE_MS;
  const mustStop = () => closing.signal.aborted || (isInterrupted && isPatient());

  /** Tells whether every page has a vector, or gets it from another process. */
  async function step(): Promise<boolean> {
    if (!(await takeTurn())) return true;
    const { pages, isComplete } = await index.missingVectors(BATCH);
    if (isComplete) return true;
    const vectors = [];
    for (let from = 0; from < pages.length && !mustStop(); from += AT_ONCE) {
      const group = pages.slice(from, from + AT_ONCE);
      const texts = group.map(({ text }) => text);
      const encoded = await sentences.encode(texts, OWN_WORK, closing.signal);
      vectors.push(...group.map(({ docId }, at) => ({ docId, vector: encoded[at]! })));
    }
    if (vectors.length > 0) await index.addVectors(vectors);
    return false;
  }

  async function run(): Promise<void> {
    isInterrupted = false;
    while (!mustStop()) {
      if (!(await step())) continue;
      waitingSince = undefined;
      return;
    }
    if (!closing.signal.aborted) start();
  }

  function start(): void {
    if (closing.signal.aborted || sentences.unavailable() !== undefined) return;
    waitingSince ??= clock.now();
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = undefined;
      running ??= run()
        .catch((error: unknown) => {
          if (!closing.signal.aborted) log.warn({ err: error }, 'pages could not be given their vectors');
        })
        .finally(() => {
          running = undefined;
        });
    }, quietMs).unref();
  }

  return {
    later() {
      isInterrupted = true;
      if (isPatient() || (!timer && !running)) start();
    },
    soon() {
      if (!timer && !running) start();
    },
    async close() {
      closing.abort();
      clearTimeout(timer);
      await running;
    },
  };
}

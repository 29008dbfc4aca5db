// Writes the outcomes of tasks. Those that arrive at about the same time share a transaction, because each has a fixed cost.
import { ServiceError } from '../contracts/errors/errors.ts';
import type { EndedTask, Finished, JobQueue } from '../store/ports/jobs/job-queue.ts';
import type { StoreHealth } from '../store/ports/store.ts';
import type { Clock } from '../util/clock.ts';

export interface OutcomeWriter {
  /**
   * Resolves once the outcome is committed. On a full disk, what was fetched waits here until it can be written: it is
   * neither lost nor fetched twice.
   */
  write(task: EndedTask, signal: AbortSignal): Promise<Finished>;
}

export interface OutcomeWriterDeps {
  queue: Pick<JobQueue, 'finish'>;
  health: Pick<StoreHealth, 'persist'>;
  owner: string;
  /** Number of tasks in flight, including those that wait here. */
  running(): number;
  closing: AbortSignal;
  clock: Pick<Clock, 'now'>;
}

interface Member {
  task: EndedTask;
  answer: PromiseWithResolvers<Finished>;
}

/** How long an outcome waits for others, unless no task is left that could bring one. */
const GATHER_MS = 40;
/** The same if enough tasks are in flight to fill a group: they have work, and need nothing of what this one has found. */
const FILL_MS = 120;
/** A transaction of more would keep readers waiting. */
const MAX_GROUP = 8;

export function createOutcomeWriter(deps: OutcomeWriterDeps): OutcomeWriter {
  const { queue, health, owner, running, closing, clock } = deps;
  let waiting: Member[] = [];
  let timer: NodeJS.Timeout | undefined;

  async function commit(group: readonly Member[]): Promise<void> {
    try {
      const tasks = group.map(({ task }) => task);
      const finished = await queue.finish(owner, tasks, clock.now());
      for (const [index, { answer }] of group.entries()) answer.resolve(finished[index]!);
    } catch (error) {
      const isOfAll = error instanceof ServiceError && error.code === 'STORAGE_UNAVAILABLE';
      if (isOfAll || group.length === 1) for (const { answer } of group) answer.reject(error);
      // One outcome that cannot be written must not take the others with it.
      else for (const member of group) await commit([member]);
    }
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const group = waiting;
    waiting = [];
    if (group.length > 0) void commit(group);
  }
  closing.addEventListener('abort', flush, { once: true });

  function join(task: EndedTask): Promise<Finished> {
    const answer = Promise.withResolvers<Finished>();
    waiting.push({ task, answer });
    if (waiting.length >= Math.min(MAX_GROUP, running()) || closing.aborted) flush();
    else timer ??= setTimeout(flush, running() - waiting.length >= MAX_GROUP ? FILL_MS : GATHER_MS);
    return answer.promise;
  }

  return { write: (task, signal) => health.persist(() => join(task), signal) };
}

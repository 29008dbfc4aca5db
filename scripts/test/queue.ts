// Keeps the cores busy without crowding them: the longest tasks start first, and the next one starts while those that run
// leave CPU time unused. Tests wait for timers, disks and other processes much of their time; those that do little else are
// spread over the run, so that there is always something that works.
export interface Task {
  name: string;
  /** How long it took the last time. Undefined if it never ran: then it starts before the others. */
  ms?: number;
  cpuMs?: number;
}

export interface QueueLimits {
  cores: number;
  /** At most this many tasks at once. Each has a lane, numbered from 0, to itself. */
  lanes: number;
}

/** Cores that a task of unknown load is expected to use. */
const UNKNOWN_LOAD = 0.7;
const UNKNOWN_MS = 1_000;
/** Cores that a task uses at most that is mostly waiting. */
const LIGHT_LOAD = 0.35;

export async function runQueue<T extends Task>(
  tasks: readonly T[],
  { cores, lanes }: QueueLimits,
  run: (task: T, lane: number) => Promise<void>,
): Promise<void> {
  const waiting = longestFirst(tasks);
  const free = Array.from({ length: lanes }, (_, lane) => lane);
  const running = new Set<Promise<void>>();
  let load = 0;
  let light = 0;
  const takeNext = (): T => {
    const heavy = light < lanes / 2 ? -1 : waiting.findIndex((task) => !isLight(task));
    return waiting.splice(Math.max(0, heavy), 1)[0]!;
  };
  while (waiting.length > 0 || running.size > 0) {
    while (waiting.length > 0 && free.length > 0 && load < cores) {
      const task = takeNext();
      const lane = free.shift()!;
      load += loadOf(task);
      light += Number(isLight(task));
      const ended = run(task, lane).finally(() => {
        load -= loadOf(task);
        light -= Number(isLight(task));
        free.unshift(lane);
        running.delete(ended);
      });
      running.add(ended);
    }
    await Promise.race(running);
  }
}

export const longestFirst = <T extends Task>(tasks: readonly T[]): T[] =>
  tasks.toSorted((a, b) => (b.ms ?? Infinity) - (a.ms ?? Infinity) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));

function loadOf({ ms, cpuMs }: Task): number {
  if (!ms || !cpuMs) return UNKNOWN_LOAD;
  return Math.max(0.1, Math.min(2, cpuMs / ms));
}

const isLight = (task: Task): boolean => loadOf(task) < LIGHT_LOAD;

/** The part of the tasks that machine `index` of `count` runs (from 1): parts of about the same length. */
export function shardOf<T extends Task>(tasks: readonly T[], index: number, count: number): T[] {
  const shards = Array.from({ length: count }, () => ({ tasks: [] as T[], ms: 0 }));
  for (const task of longestFirst(tasks)) {
    const shortest = shards.reduce((least, shard) => (shard.ms < least.ms ? shard : least));
    shortest.tasks.push(task);
    shortest.ms += task.ms ?? UNKNOWN_MS;
  }
  return shards[index - 1]!.tasks;
}

// CPU time and memory of other processes (Linux only), and a load generator with fixed concurrency.
import { readdirSync, readFileSync } from 'node:fs';

// Clock ticks in /proc/PID/stat; 100 on every Linux that Node supports.
const TICKS_PER_SECOND = 100;

/** User and system time of a process so far, all threads included. */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in parentheses may contain spaces, so fields are counted after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

export interface ThreadTime {
  name: string;
  /** Seconds. */
  user: number;
  system: number;
}

/** What each thread of a process has used so far, by the number of the thread. Those that have ended are not among them. */
export function threadTimes(pid: number): Map<string, ThreadTime> {
  const times = new Map<string, ThreadTime>();
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
      const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
      const [user, system] = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .slice(11, 13) as [string, string];
      times.set(thread, { name, user: Number(user) / TICKS_PER_SECOND, system: Number(system) / TICKS_PER_SECOND });
    } catch {
      // It has just ended.
    }
  }
  return times;
}

/** How long the main thread of a process was ready to run and had to wait for a processor, so far. */
export function waitedForCpuSeconds(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e9;
}

/** Also includes children that have ended. 0 if the process itself has ended. */
export function cpuSecondsWithChildren(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}

/** Memory that a process does not share with others. 0 if it has ended. */
export function unsharedMb(pid: number): number {
  try {
    const [, resident, shared] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
    return ((Number(resident) - Number(shared)) * 4096) / 1_048_576;
  } catch {
    return 0;
  }
}

function memoryMb(pid: number, field: string): number {
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(kilobytes?.[1]) / 1024;
}

export const residentMb = (pid: number): number => memoryMb(pid, 'VmRSS');
export const peakResidentMb = (pid: number): number => memoryMb(pid, 'VmHWM');

/** Calls `work` with 0 to count - 1, `concurrency` at a time. Returns the milliseconds of each call. */
export async function load(count: number, concurrency: number, work: (n: number) => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  let next = 0;
  const worker = async () => {
    for (let n = next++; n < count; n = next++) {
      const began = performance.now();
      await work(n);
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return times;
}

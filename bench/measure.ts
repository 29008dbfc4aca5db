// What the kernel knows about another process (Linux only), and a steady load of requests.
import { readFileSync } from 'node:fs';

// The unit of /proc/PID/stat; 100 on every Linux that Node runs on.
const TICKS_PER_SECOND = 100;

/** CPU time of a process so far, user and system, all its threads together. */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in brackets may hold spaces; the fields are counted from behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** The same with that of its children who have ended; 0 for a process that is gone itself. */
export function cpuSecondsWithChildren(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}

/** Memory that a process shares with no other; 0 for one that is gone. */
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

/** Calls `work` for 0 .. count-1, always `concurrency` of them at once. Gives the milliseconds each took. */
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

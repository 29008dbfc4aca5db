// CPU time of processes as Linux counts it. Other systems do not tell: there it is 0.
import { readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second on every architecture. */
const TICK_MS = 10;
// Positions in /proc/PID/stat behind the name of the program: own time (user, system) and that of ended children.
const [OWN, CHILDREN] = [11, 13];

/** Milliseconds that a process and its ended children have used so far. */
export const cpuOf = (pid: number): number => ticks(pid, OWN, CHILDREN + 2) * TICK_MS;

/** Milliseconds that the ended children of this process have used, and their children. */
export const cpuOfChildren = (): number => ticks(process.pid, CHILDREN, CHILDREN + 2) * TICK_MS;

function ticks(pid: number, from: number, to: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(from, to).reduce((sum, field) => sum + Number(field), 0);
  } catch {
    return 0;
  }
}

// Kills a child process with everything that it started. The child must have been spawned `detached`, as a group leader.
import type { ChildProcess } from 'node:child_process';

export function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The whole group has already ended.
  }
}

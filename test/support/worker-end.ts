// What test files share in their process (services, browsers, threads) is closed when the process has run its last file.
import { after } from 'node:test';

const closers: (() => unknown)[] = [];

/** Called once for each thing that outlives the test file which needed it first. */
export const atWorkerEnd = (close: () => unknown): void => void closers.push(close);

/** The last opened is closed first. Called by scripts/test/inside/worker.ts. */
export async function closeShared(): Promise<void> {
  for (let close = closers.pop(); close; close = closers.pop()) await close();
}

// A file that is run by hand, without the test command, is all that its process runs.
if (!process.connected) after(closeShared);

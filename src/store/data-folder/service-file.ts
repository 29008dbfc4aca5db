// Where a running service says how it is reached: a file in its data folder, which only its user can read.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface RunningServiceNote {
  url: string;
  /** TRAWL_PUBLIC_URL */
  publicUrl?: string;
  pid: number;
  /** Whether requests need a key. */
  needsKey: boolean;
}

const FILE = 'service.json';

export function writeServiceFile(dataDir: string, note: RunningServiceNote): void {
  const file = join(dataDir, FILE);
  const part = `${file}.${note.pid}`;
  writeFileSync(part, `${JSON.stringify(note)}\n`, { mode: 0o600 });
  renameSync(part, file);
}

export const removeServiceFile = (dataDir: string): void => rmSync(join(dataDir, FILE), { force: true });

/** What was written last. The process may have ended since. */
export function readServiceFile(dataDir: string): RunningServiceNote | undefined {
  try {
    const note = JSON.parse(readFileSync(join(dataDir, FILE), 'utf8')) as RunningServiceNote;
    const { url, publicUrl, pid, needsKey } = note;
    if (typeof url !== 'string' || typeof pid !== 'number') return undefined;
    return { url, ...(typeof publicUrl === 'string' && { publicUrl }), pid, needsKey: needsKey !== false };
  } catch {
    return undefined;
  }
}

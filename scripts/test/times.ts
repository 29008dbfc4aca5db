// How long each test file took the last time, on this machine (a cache) or else where the recorded file was made.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export interface FileTime {
  ms: number;
  cpuMs: number;
}

export type Times = Record<string, FileTime>;

const CACHE = 'node_modules/.cache/trawl/test-times.json';
const RECORDED = 'scripts/test/recorded-times.json';

/** The times of the repository: the same on every machine, so shards are cut by them. */
export const recordedTimes = (): Times => read(RECORDED);

export const rememberedTimes = (): Times => ({ ...read(RECORDED), ...read(CACHE) });

export const remember = (times: Times): void => write(CACHE, { ...read(CACHE), ...times });

/** Writes the times into the repository. Files that are no longer there are dropped. */
export function record(times: Times, files: readonly string[]): void {
  const all = { ...read(RECORDED), ...times };
  const rounded = files
    .filter((file) => all[file])
    .sort()
    .map((file) => [file, { ms: tenths(all[file]!.ms), cpuMs: tenths(all[file]!.cpuMs) }]);
  write(RECORDED, Object.fromEntries(rounded));
}

/** Differences below a tenth of a second are noise. */
const tenths = (ms: number): number => Math.max(1, Math.round(ms / 100)) * 100;

function read(path: string): Times {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Times;
  } catch {
    return {};
  }
}

function write(path: string, times: Times): void {
  mkdirSync(dirname(path), { recursive: true });
  // As the formatter of the project would write it.
  const lines = Object.entries(times).map(
    ([file, { ms, cpuMs }]) => `  ${JSON.stringify(file)}: { "ms": ${ms}, "cpuMs": ${cpuMs} }`,
  );
  writeFileSync(path, `{\n${lines.join(',\n')}\n}\n`);
}

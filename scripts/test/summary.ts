// What a run prints at its end.
import type { Times } from './times.ts';

const LONG_MS = 10_000;
const SECOND = 1000;

/** `test/unit/store/x.test.ts` belongs to `test/unit`; files directly below `test` to `test`. */
export const folderOf = (file: string): string => file.split('/').slice(0, -1).slice(0, 2).join('/');

/** `test/unit/store/x.test.ts` belongs to `test/unit/store`. */
export const roomOf = (file: string): string => file.split('/').slice(0, -1).slice(0, 3).join('/');

/** CPU and wall time by folder, the most expensive first. */
export function timesByFolder(times: Times, folder: (file: string) => string): string[] {
  const sums = new Map<string, { files: number; ms: number; cpuMs: number }>();
  for (const [file, { ms, cpuMs }] of Object.entries(times)) {
    const sum = sums.get(folder(file)) ?? { files: 0, ms: 0, cpuMs: 0 };
    sums.set(folder(file), { files: sum.files + 1, ms: sum.ms + ms, cpuMs: sum.cpuMs + cpuMs });
  }
  const rows = [...sums].sort(([, a], [, b]) => b.cpuMs - a.cpuMs);
  return [
    '  CPU s   wall s  files',
    ...rows.map(
      ([name, { files, ms, cpuMs }]) => `${seconds(cpuMs)} ${seconds(ms)} ${String(files).padStart(6)}  ${name}`,
    ),
  ];
}

/** Files that took longer than ten seconds, or all of them; the longest first. */
export function timesByFile(times: Times, all = false): string[] {
  const rows = Object.entries(times)
    .filter(([, { ms }]) => all || ms > LONG_MS)
    .sort(([, a], [, b]) => b.ms - a.ms);
  if (rows.length === 0) return [];
  return ['  CPU s   wall s', ...rows.map(([file, { ms, cpuMs }]) => `${seconds(cpuMs)} ${seconds(ms)}  ${file}`)];
}

export const seconds = (ms: number): string => (ms / SECOND).toFixed(1).padStart(7);

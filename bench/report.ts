// The options of a bench, the rows of its result, and how they are printed.
import { join } from 'node:path';

export interface BenchOptions {
  /** Data folder, for benches that need one. */
  folder: string | undefined;
  /** Number of starts, requests or pages. Each bench has its own default. */
  count: number | undefined;
  concurrency: number;
  /** Uses only every n-th page. */
  every: number | undefined;
  /** Runs only the program with this name. */
  only: string | undefined;
  /** The engine of the index, if not the embedded one. */
  engine?: string | undefined;
  /** Folder of another checkout of the project to compare with. */
  against: string | undefined;
  peers: boolean;
  /** Number of pages for the peers, if it differs. */
  peerCount: number | undefined;
  /** Multiplies the times of a bench, so that a busy machine matters less. */
  scale: number;
  /** Prints single results of the held-out half, which must not be seen while the measured part is built. */
  showHeldOut: boolean;
}

export interface Row {
  measure: string;
  value: number;
  unit: string;
  /** The value we aim for. */
  aim?: string;
  /** The measured program, if several are compared. Each has a column. */
  system?: string;
}

/** The folder for result files, which is not in git. */
export const RESULTS = join(import.meta.dirname, 'results');

const VALUE = 'value';

export function table(rows: Row[]): string {
  const systems = [...new Set(rows.map(({ system = VALUE }) => system))];
  const cells = [
    ['measure', ...systems, 'unit', 'aim'],
    ...[...Map.groupBy(rows, ({ measure }) => measure)].map(([measure, some]) => {
      const values = systems.map((name) => some.find(({ system = VALUE }) => system === name)?.value);
      return [measure, ...values.map(figure), some[0]!.unit, some[0]!.aim ?? ''];
    }),
  ];
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  const isFigure = (column: number) => column > 0 && column <= systems.length;
  const line = (row: string[]) =>
    row
      .map((cell, column) => (isFigure(column) ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!)))
      .join('  ');
  return [line(cells[0]!), widths.map((width) => '-'.repeat(width)).join('  '), ...cells.slice(1).map(line)].join('\n');
}

function figure(value: number | undefined): string {
  if (value === undefined) return '';
  if (Number.isInteger(value)) return String(value);
  return value.toFixed(value < 1 ? 3 : value < 10 ? 2 : value < 100 ? 1 : 0);
}

/** Nearest-rank percentile; `share` is 0 to 1. */
export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export const median = (values: number[]): number => percentile(values, 0.5);

// What a bench is given, the figures it gives back, and how they are shown.
import { join } from 'node:path';

export interface BenchOptions {
  /** Where the data is, for benches that need some. */
  folder: string | undefined;
  /** How many starts, requests or pages; each bench has its own default. */
  count: number | undefined;
  concurrency: number;
  /** Of the pages, only every n-th. */
  every: number | undefined;
  /** Of the programs that are compared, only the one of this name. */
  only: string | undefined;
  peers: boolean;
  /** How many pages the peers get, where that may be fewer. */
  peerCount: number | undefined;
}

export interface Row {
  measure: string;
  value: number;
  unit: string;
  /** What we want it to be, if there is such a thing. */
  aim?: string;
  /** Who reached it, where several are compared: each gets a column. */
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

/** The value below which the given share of the values lies (nearest rank). */
export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export const median = (values: number[]): number => percentile(values, 0.5);

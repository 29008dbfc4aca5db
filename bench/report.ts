// What a bench is given, the figures it gives back, and how they are shown.

export interface BenchOptions {
  /** How many starts, requests or pages; each bench has its own default. */
  count: number | undefined;
  concurrency: number;
  peer: boolean;
}

export interface Row {
  measure: string;
  value: number;
  unit: string;
  /** What we want it to be, if there is such a thing. */
  aim?: string;
}

export function table(rows: Row[]): string {
  const cells = [
    ['measure', 'value', 'unit', 'aim'],
    ...rows.map(({ measure, value, unit, aim = '' }) => [measure, figure(value), unit, aim]),
  ];
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  const line = (row: string[]) =>
    row
      .map((cell, column) => (column === 1 ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!)))
      .join('  ');
  return [line(cells[0]!), widths.map((width) => '-'.repeat(width)).join('  '), ...cells.slice(1).map(line)].join('\n');
}

const figure = (value: number): string => value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);

/** The value below which the given share of the values lies (nearest rank). */
export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export const median = (values: number[]): number => percentile(values, 0.5);

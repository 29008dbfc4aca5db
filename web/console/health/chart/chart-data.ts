// What a chart shows: its lines or bars, how their values are written, and the same in words and as a table.
import { bytes, count, duration } from '../../ui/data/format.ts';

export type Figure = number | null;
/** count: of whole things. */
export type Unit = 'perSecond' | 'seconds' | 'count' | 'number' | 'bytes';

export interface ChartSeries {
  label: string;
  values: readonly Figure[];
  /** Which of the colours for charts, from 1 to 6. */
  color: 1 | 2 | 3 | 4 | 5 | 6;
  isDashed?: boolean;
}

export interface ChartData {
  /** In milliseconds since 1970, ascending. */
  at: readonly number[];
  series: readonly ChartSeries[];
  unit: Unit;
}

const WRITE: Readonly<Record<Unit, (value: number) => string>> = {
  perSecond: (value) => (value === 0 ? '0/s' : `${short(value)}/s`),
  seconds: (value) => duration(value * 1_000),
  count,
  number: (value) => (value === 0 ? '0' : short(value)),
  bytes,
};

export const writeFigure = (value: Figure | undefined, unit: Unit): string =>
  value === null || value === undefined ? '–' : WRITE[unit](value);

/** Two digits that matter. */
function short(value: number): string {
  if (value < 0.005) return '< 0.01';
  if (value >= 100) return count(Math.round(value));
  return value >= 10 ? value.toFixed(0) : value.toPrecision(2).replace(/\.?0+$/, '');
}

/** The latest figure that is known. */
export const latestOf = (values: readonly Figure[]): Figure => values.findLast((value) => value !== null) ?? null;

const highestOf = (values: readonly Figure[]): Figure =>
  values.reduce<Figure>((most, value) => (value !== null && (most === null || value > most) ? value : most), null);

/** One sentence for each line: for screen readers, and for everybody who wants it short. */
export function summaryOf({ series, unit }: ChartData): string {
  return series
    .map(({ label, values }) => {
      const highest = highestOf(values);
      if (highest === null) return `${label}: nothing was measured yet.`;
      return `${label}: ${writeFigure(latestOf(values), unit)} now, ${writeFigure(highest, unit)} at most.`;
    })
    .join(' ');
}

export interface ChartRow {
  at: number;
  figures: readonly Figure[];
}

/** The highest figures of equal parts of the time, the latest first: a table that can be read. */
export function rowsOf({ at, series }: ChartData, maxRows: number): ChartRow[] {
  const each = Math.max(1, Math.ceil(at.length / maxRows));
  const rows: ChartRow[] = [];
  for (let end = at.length; end > 0; end -= each) {
    const begin = Math.max(0, end - each);
    rows.push({ at: at[begin]!, figures: series.map(({ values }) => highestOf(values.slice(begin, end))) });
  }
  return rows;
}

/** Each line on top of those before it, as stacked bars are drawn. */
export function stacked(series: readonly ChartSeries[]): Figure[][] {
  const sums: number[] = [];
  return series.map(({ values }) =>
    values.map((value, index) => {
      sums[index] = (sums[index] ?? 0) + (value ?? 0);
      return sums[index]!;
    }),
  );
}

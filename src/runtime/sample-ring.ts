// The last samples of some figures, in arrays of fixed size: the oldest are overwritten.

export interface Samples<Column extends string> {
  /** When each sample was taken, in order. */
  at: number[];
  /** One list for each column, as long as `at`. Null: the figure is not known for that time. */
  series: Record<Column, (number | null)[]>;
}

export interface SampleRing<Column extends string> {
  /** Columns that are absent or not finite are not known. */
  add(at: number, values: Readonly<Partial<Record<Column, number>>>): void;
  /** Samples that are younger than `time`, the oldest first. */
  since(time: number): Samples<Column>;
}

/** Enough for a chart, and half as long as JSON as the whole number. */
const DIGITS = 5;

export function createSampleRing<Column extends string>(columns: readonly Column[], size: number): SampleRing<Column> {
  const times = new Float64Array(size);
  const values = new Float32Array(size * columns.length);
  let added = 0;

  return {
    add(at, given) {
      const slot = added % size;
      times[slot] = at;
      for (const [index, column] of columns.entries()) values[index * size + slot] = given[column] ?? Number.NaN;
      added += 1;
    },
    since(time) {
      const slots: number[] = [];
      for (let number = Math.max(0, added - size); number < added; number++) {
        const slot = number % size;
        if (times[slot]! > time) slots.push(slot);
      }
      const series = columns.map((column, index) => [column, slots.map((slot) => shown(values[index * size + slot]!))]);
      return { at: slots.map((slot) => times[slot]!), series: Object.fromEntries(series) };
    },
  };
}

const shown = (value: number): number | null => (Number.isFinite(value) ? Number(value.toPrecision(DIGITS)) : null);

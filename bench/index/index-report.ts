// The figures of an index as rows, with their aims.

import { median, percentile, type Row } from '../report.ts';
import type { QueryClass } from './index-queries.ts';
import type { QueryTime } from './index-runner.ts';
import { sizeOf } from './index-size.ts';

export interface IngestResult {
  pages: number;
  /** Size of titles and bodies in UTF-8. */
  textBytes: number;
  cpuSeconds: number;
  applySeconds: number;
  /** What the start with an empty file has cost. */
  startSeconds: number;
}

export interface Memory {
  residentMb: number;
  peakMb: number;
}

type ByClass = ReadonlyMap<QueryClass, readonly QueryTime[]>;

const MB = 1024 * 1024;
/** Milliseconds: [p50, p99]. */
const RANKED = [3, 15] as const;
const AIMS: Partial<Record<QueryClass, readonly [number, number]>> = {
  'one common word': RANKED,
  'one rare word': RANKED,
  'two words of a page': RANKED,
  'three words of a page': RANKED,
  'three common words': RANKED,
  '1 to 8 words': RANKED,
  phrase: [3, 20],
};

export const indexingRows = ({ pages, textBytes, cpuSeconds, applySeconds }: IngestResult, system: string): Row[] => [
  { measure: 'pages', value: pages, unit: '', system },
  { measure: 'pages a CPU-second', value: pages / cpuSeconds, unit: '1/s', aim: '>= 4500', system },
  { measure: 'text a CPU-second', value: textBytes / MB / cpuSeconds, unit: 'MB/s', system },
  { measure: 'pages a second', value: pages / applySeconds, unit: '1/s', system },
];

/** `seconds` is what a start with the full file costs. */
export const openingRow = (seconds: number, { startSeconds }: IngestResult, system: string): Row => ({
  measure: 'opening, CPU time',
  value: seconds - startSeconds,
  unit: 's',
  aim: '<= 2',
  system,
});

/** `added` is the number of pages written after `ingested`. */
export function sizeRows(file: string, ingested: IngestResult, added: number, memory: Memory, system: string): Row[] {
  const { wholeMb, partsMb } = sizeOf(file);
  const textMb = ((ingested.textBytes / MB) * (ingested.pages + added)) / ingested.pages;
  const searched = [...partsMb].filter(([name]) => name === 'fts' || name === 'post' || name === 'tail');
  const searchedMb = searched.reduce((sum, [, mb]) => sum + mb, 0);
  return [
    { measure: 'text', value: textMb, unit: 'MB', system },
    { measure: 'file', value: wholeMb, unit: 'MB', system },
    { measure: 'file : text', value: wholeMb / textMb, unit: '', aim: '<= 1.4', system },
    ...(searchedMb > 0 ? [{ measure: 'FTS5 and postings : text', value: searchedMb / textMb, unit: '', system }] : []),
    ...[...partsMb]
      .filter(([, mb]) => mb > wholeMb / 100)
      .map(([name, mb]) => ({ measure: `file, table ${name}`, value: mb, unit: 'MB', system })),
    { measure: 'memory (with mapped file)', value: memory.residentMb, unit: 'MB', system },
    { measure: 'peak memory', value: memory.peakMb, unit: 'MB', system },
  ];
}

/** `timeOf` selects CPU or wall time. Each class has its own aim. */
export function queryRows(queries: ByClass, system: string, timeOf: (timed: QueryTime) => number): Row[] {
  return [...queries].flatMap(([kind, queryTimes]) => {
    const [p50Aim, p99Aim] = AIMS[kind] ?? [];
    const times = queryTimes.map(timeOf);
    const row = (share: number, aim: number | undefined): Row => ({
      measure: `${kind}, p${share * 100}`,
      value: percentile(times, share),
      unit: 'ms',
      ...(aim !== undefined && { aim: `<= ${aim}` }),
      system,
    });
    return [row(0.5, p50Aim), row(0.99, p99Aim)];
  });
}

/** How much longer queries take while pages are written: the median over the classes, at the same pace. */
export function writingRow(calm: ByClass, busy: ByClass, system: string): Row {
  const medianOf = (times: readonly QueryTime[]) => median(times.map(({ ms }) => ms));
  const ratios = [...busy].map(([kind, times]) => medianOf(times) / medianOf(calm.get(kind)!));
  return { measure: 'while writing : alone, p50', value: median(ratios), unit: 'times', aim: '<= 1.3', system };
}

// The figures of an index as rows, with what they should be.

import { median, percentile, type Row } from '../report.ts';
import type { QueryClass } from './index-queries.ts';
import type { QueryTime } from './index-runner.ts';
import { sizeOf } from './index-size.ts';

export interface IngestResult {
  pages: number;
  /** Of titles and bodies, in UTF-8. */
  textBytes: number;
  cpuSeconds: number;
  applySeconds: number;
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

/** `more` pages have come since it was fed. */
export function sizeRows(file: string, fed: IngestResult, more: number, memory: Memory, system: string): Row[] {
  const { wholeMb, partsMb } = sizeOf(file);
  const textMb = ((fed.textBytes / MB) * (fed.pages + more)) / fed.pages;
  const searched = [...partsMb].filter(([name]) => name === 'fts' || name === 'post' || name === 'tail');
  const searchedMb = searched.reduce((sum, [, mb]) => sum + mb, 0);
  return [
    { measure: 'text', value: textMb, unit: 'MB', system },
    { measure: 'file', value: wholeMb, unit: 'MB', system },
    { measure: 'file : text', value: wholeMb / textMb, unit: '', system },
    ...(searchedMb > 0
      ? [{ measure: 'FTS5 and postings : text', value: searchedMb / textMb, unit: '', aim: '<= 0.75', system }]
      : []),
    ...[...partsMb]
      .filter(([, mb]) => mb > wholeMb / 100)
      .map(([name, mb]) => ({ measure: `file, table ${name}`, value: mb, unit: 'MB', system })),
    { measure: 'memory (with mapped file)', value: memory.residentMb, unit: 'MB', system },
    { measure: 'peak memory', value: memory.peakMb, unit: 'MB', system },
  ];
}

/** `timeOf` says which time counts; each class has its own aim. */
export function queryRows(queries: ByClass, system: string, timeOf: (timed: QueryTime) => number): Row[] {
  return [...queries].flatMap(([kind, timed]) => {
    const [middle, most] = AIMS[kind] ?? [];
    const times = timed.map(timeOf);
    const row = (share: number, aim: number | undefined): Row => ({
      measure: `${kind}, p${share * 100}`,
      value: percentile(times, share),
      unit: 'ms',
      ...(aim !== undefined && { aim: `<= ${aim}` }),
      system,
    });
    return [row(0.5, middle), row(0.99, most)];
  });
}

/** How much longer the same questions at the same pace take while pages come: the middle of all classes. */
export function writingRow(calm: ByClass, busy: ByClass, system: string): Row {
  const middleOf = (timed: readonly QueryTime[]) => median(timed.map(({ ms }) => ms));
  const times = [...busy].map(([kind, timed]) => middleOf(timed) / middleOf(calm.get(kind)!));
  return { measure: 'while writing : alone, p50', value: median(times), unit: 'times', aim: '<= 1.3', system };
}

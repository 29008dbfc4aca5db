// Usage as stacked bars and as a table: by key or by operation, the largest first, the rest together.
import type { ResponseOf } from '../../../../src/contracts/route-types.ts';
import type { ChartData, ChartSeries } from '../chart/chart-data.ts';

export type Usage = ResponseOf<'teamUsage'>['data'];
export type Grouping = 'key' | 'operation';

export interface UsageRow {
  id: string;
  name: string;
  /** What a key is for. */
  label?: string;
  credits: readonly number[];
  totalCredits: number;
  totalTokens: number;
  /** Share of all credits, from 0 to 1. */
  share: number;
}

/** As many colours as charts have, one of them for the rest. */
const MAX_STACKS = 6;

const OPERATION_NAMES: Readonly<Record<string, string>> = {
  scrape: 'Scrape',
  parse: 'Parse',
  batch_scrape: 'Batch',
  crawl: 'Crawl',
  map: 'Map',
  search: 'Search',
  research: 'Research',
  browser: 'Browser',
  interact: 'Interact',
  extract: 'Extract',
  agent: 'Agent',
  monitor: 'Monitor',
  model: 'Language models',
  unknown: 'Before operations were counted',
};

export function rowsBy(usage: Usage, grouping: Grouping): UsageRow[] {
  const shareOf = (credits: number) => (usage.totalCredits === 0 ? 0 : credits / usage.totalCredits);
  if (grouping === 'operation') {
    return usage.operations.map(({ operation, credits, totalCredits, totalTokens }) => ({
      ...{ id: operation, name: OPERATION_NAMES[operation] ?? operation },
      ...{ credits, totalCredits, totalTokens, share: shareOf(totalCredits) },
    }));
  }
  const keys = usage.keys.map(({ key, label, credits, totalCredits, totalTokens }) => ({
    ...{ id: key ?? '', name: key === null ? 'Without a key' : `${key}…` },
    ...(label !== null && { label }),
    ...{ credits, totalCredits, totalTokens, share: shareOf(totalCredits) },
  }));
  const { otherKeys } = usage;
  if (!otherKeys) return keys;
  return [...keys, { id: 'others', name: 'All other keys', ...otherKeys, share: shareOf(otherKeys.totalCredits) }];
}

/** Rows without credits have no bar. */
export function barsOf(usage: Usage, rows: readonly UsageRow[]): ChartData {
  const paid = rows.filter(({ totalCredits }) => totalCredits > 0);
  const own = paid.length > MAX_STACKS ? paid.slice(0, MAX_STACKS - 1) : paid;
  const rest = paid.slice(own.length);
  const stacks = own.map(({ name, label, credits }) => ({ label: label ?? name, values: credits }));
  if (rest.length > 0) {
    const values = usage.starts.map((_, index) => rest.reduce((sum, { credits }) => sum + credits[index]!, 0));
    stacks.push({ label: `${rest.length} others`, values });
  }
  return {
    at: usage.starts.map((start) => Date.parse(start)),
    unit: 'count',
    series: withOwnNames(stacks).map((stack, index) => ({ ...stack, color: (index + 1) as ChartSeries['color'] })),
  };
}

/** Two keys may have the same label. */
function withOwnNames(stacks: readonly { label: string; values: readonly number[] }[]) {
  const seen = new Map<string, number>();
  return stacks.map(({ label, values }) => {
    const times = (seen.get(label) ?? 0) + 1;
    seen.set(label, times);
    return { label: times === 1 ? label : `${label} (${times})`, values };
  });
}

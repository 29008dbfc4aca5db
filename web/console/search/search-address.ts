// What the search page looks for, as its address holds it: query, filters and order.
import type { SentBody } from '../../../src/contracts/route-types.ts';

export interface Looked {
  query: string;
  hosts: readonly string[];
  languages: readonly string[];
  kinds: readonly string[];
  /** A range as in `tbs`: qdr:d, qdr:w, qdr:m, qdr:y; '' for any time. */
  time: string;
  isNewestFirst: boolean;
}

/** Filters that hold lists, by their names in the address. */
const LISTS = { host: 'hosts', lang: 'languages', kind: 'kinds' } as const;
export type ListName = (typeof LISTS)[keyof typeof LISTS];
export type FilterName = ListName | 'time';

const TIMES = ['qdr:d', 'qdr:w', 'qdr:m', 'qdr:y'];
const MAX_QUERY = 500;
const MAX_VALUES = 20;
const PATH = '/console/search';

/** Whatever an address holds, the result can be sent. */
export function readAddress(address: string): Looked {
  const parameters = new URL(address, 'http://console').searchParams;
  const list = (name: string, pattern: RegExp) =>
    [...new Set(parameters.getAll(name))].filter((value) => pattern.test(value)).slice(0, MAX_VALUES);
  const time = parameters.get('time') ?? '';
  return {
    query: [...(parameters.get('q') ?? '')].slice(0, MAX_QUERY).join(''),
    hosts: list('host', /^[^\s/:@?#\\*]{1,253}$/),
    languages: list('lang', /^(?:[a-z]{2}|und)$/),
    kinds: list('kind', /^[a-z0-9]{1,10}$/),
    time: TIMES.includes(time) ? time : '',
    isNewestFirst: parameters.get('sort') === 'date',
  };
}

export function writeAddress({ query, time, isNewestFirst, ...lists }: Looked): string {
  const pairs: [string, string][] = [
    ...(query.trim() === '' ? [] : [['q', query] as [string, string]]),
    ...Object.entries(LISTS).flatMap(([name, list]) => lists[list].map((value): [string, string] => [name, value])),
    ...(time === '' ? [] : [['time', time] as [string, string]]),
    ...(isNewestFirst ? [['sort', 'date'] as [string, string]] : []),
  ];
  return pairs.length === 0 ? PATH : `${PATH}?${new URLSearchParams(pairs)}`;
}

/** Without a query there is nothing to rank by: the newest pages come first. */
export function requestOf({ query, hosts, languages, kinds, time, isNewestFirst }: Looked): SentBody<'searchIndex'> {
  const isByDate = isNewestFirst || query.trim() === '';
  const tbs = [time, isByDate && 'sbd:1'].filter(Boolean).join(',');
  return {
    ...{ query, typing: true, includeDomains: [...hosts], languages: [...languages], kinds: [...kinds] },
    ...(tbs !== '' && { tbs }),
  };
}

export const hasFilters = ({ hosts, languages, kinds, time }: Looked): boolean =>
  hosts.length + languages.length + kinds.length > 0 || time !== '';

export const withoutFilters = (looked: Looked): Looked => ({
  ...looked,
  hosts: [],
  languages: [],
  kinds: [],
  time: '',
});

/** Adds a value to a filter, or removes it. */
export const toggled = (looked: Looked, list: ListName, value: string): Looked => ({
  ...looked,
  [list]: looked[list].includes(value) ? looked[list].filter((other) => other !== value) : [...looked[list], value],
});

/** The fields of the request that are filters. */
const FILTER_FIELDS: Readonly<Record<string, Partial<Looked>>> = {
  includeDomains: { hosts: [] },
  languages: { languages: [] },
  kinds: { kinds: [] },
  tbs: { time: '' },
};

/** What is looked for without a condition that the service found to exclude everything. */
export const relaxedBy = (looked: Looked, dropped: { condition: string; isFilter: boolean; query: string }): Looked =>
  dropped.isFilter ? { ...looked, ...FILTER_FIELDS[dropped.condition] } : { ...looked, query: dropped.query };

/** The query without a part of its clean text. */
export const withoutPart = (text: string, { start, end }: { start: number; end: number }): string =>
  `${text.slice(0, start).trimEnd()} ${text.slice(end).trimStart()}`.trim();

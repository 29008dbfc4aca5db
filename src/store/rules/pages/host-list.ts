// Lists hosts from the counters of several owners: which of the rows that were read come next, and what each host has.
import { SHARED } from '../../../page/page-owner.ts';
import type { HostQuery, StoredHost, StoredPages } from '../../ports/pages/stored-pages.ts';

/** The counters of one owner. */
export interface HostRow extends StoredHost {
  owner: string;
  /** The host without `www.`, by which people look for it. */
  name: string;
}

/** Where the rows of each owner begin, and in which order they are read. */
export interface HostStart {
  isBySize: boolean;
  name: string;
  host: string;
  /** By size: rows with as many pages come first. */
  pages?: number;
  /** By name: behind the last one. */
  end: string;
}

/** Hosts are ASCII: this is behind all of them. */
const BEHIND = '\u007f';

export function hostStart({ order, prefix, after }: HostQuery): HostStart {
  const names = prefix === undefined ? '' : nameOf(prefix);
  const [name, host] = after ? [nameOf(after.host), after.host] : [names, ''];
  return { isBySize: order === 'pages' && prefix === undefined, name, host, pages: after?.pages, end: names + BEHIND };
}

export interface NextHosts {
  rows: HostRow[];
  hasMore: boolean;
}

/** `streams` has up to one row more than the limit of each owner, in the order of the query. */
export function nextHosts(streams: readonly HostRow[][], { isBySize }: HostStart, limit: number): NextHosts {
  const compare = isBySize ? bySize : byName;
  // What comes after the end of a stream that goes on is not known yet.
  const [end] = streams.flatMap((rows) => (rows.length > limit ? [rows.at(-1)!] : [])).sort(compare);
  const rows = streams
    .flat()
    .filter((row) => !end || compare(row, end) <= 0)
    .sort(compare)
    .slice(0, limit);
  return { rows, hasMore: end !== undefined || streams.flat().length > limit };
}

/** `rowsOf` returns the rows of all owners that the viewer sees. */
export function toHostList(
  { rows, hasMore }: NextHosts,
  { isBySize }: HostStart,
  { seesAll }: HostQuery,
  rowsOf: (row: HostRow) => HostRow[],
): Awaited<ReturnType<StoredPages['hosts']>> {
  const compare = isBySize ? bySize : byName;
  // A host may have rows of several owners. It is listed once, where the first of them stands.
  const groups = rows
    .map((row) => ({ row, all: rowsOf(row) }))
    .filter(({ row, all }) => all.sort(compare)[0]?.owner === row.owner)
    .filter(({ all }) => seesAll || all.some(({ owner, pages }) => owner !== SHARED || pages > 0));
  const last = rows.at(-1);
  return {
    hosts: groups.map(({ all }) => together(all)),
    ...(hasMore && last && { next: { pages: last.pages, host: last.host } }),
  };
}

const byName = (a: HostRow, b: HostRow): number =>
  compareTexts(a.name, b.name) || compareTexts(a.host, b.host) || compareTexts(a.owner, b.owner);
const bySize = (a: HostRow, b: HostRow): number => b.pages - a.pages || byName(a, b);
const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function together(rows: HostRow[]): StoredHost {
  const sum = (field: 'pages' | 'tracked' | 'bytes') => rows.reduce((total, row) => total + row[field], 0);
  return {
    ...{ host: rows[0]!.host, pages: sum('pages'), tracked: sum('tracked'), bytes: sum('bytes') },
    newestAt: Math.max(...rows.map(({ newestAt }) => newestAt)),
  };
}

/** With its port, unless that is the default. */
export const hostOf = (url: string): string => URL.parse(url)?.host ?? '';

export const nameOf = (host: string): string => (host.startsWith('www.') ? host.slice(4) : host);

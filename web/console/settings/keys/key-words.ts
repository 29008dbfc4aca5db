// What a key may do, in words.

import type { ResponseOf } from '../../../../src/contracts/route-types.ts';
import type { KeyGroup } from '../../../../src/contracts/team/policy.ts';
import { count } from '../../ui/data/format.ts';

export type Key = ResponseOf<'listKeys'>['data'][number];
export type KeyLimits = Key['limits'];

export const GROUP_WORDS: Readonly<Record<KeyGroup, { label: string; help: string }>> = {
  scrape: { label: 'Scrape', help: 'Read single pages, and read them again.' },
  'batch-scrape': { label: 'Batch scrape', help: 'Read lists of pages, with status, pause and export.' },
  crawl: { label: 'Crawl', help: 'Read whole sites, with status, pause and export.' },
  map: { label: 'Map', help: 'List the addresses of a site.' },
  search: { label: 'Search', help: 'Search the web and the own index.' },
  extract: { label: 'Extract', help: 'Get data from many pages in a form that you choose.' },
  agent: { label: 'Agent', help: 'Let an agent find data by itself.' },
  parse: { label: 'Parse', help: 'Read uploaded files.' },
  browser: { label: 'Browser', help: 'Open browser sessions and use pages.' },
  monitor: { label: 'Monitor', help: 'Watch pages for changes.' },
  collection: { label: 'Collection', help: 'Keep sets of pages up to date, and read what has changed.' },
  research: { label: 'Research', help: 'Search papers and code.' },
};

/** Short, for a table: undefined if the key may do everything. */
export function limitsInWords(limits: KeyLimits): string[] {
  const { operations = [], formats = [], networks = [], domains = [], requestsPerMinute, monthlyCredits } = limits;
  return [
    operations.length > 0 && `only ${operations.map((group) => GROUP_WORDS[group].label.toLowerCase()).join(', ')}`,
    formats.length > 0 && `formats: ${formats.join(', ')}`,
    domains.length > 0 && `domains: ${few(domains)}`,
    networks.length > 0 && `from ${few(networks)}`,
    requestsPerMinute !== undefined && `${count(requestsPerMinute)} requests a minute`,
    monthlyCredits !== undefined && `${count(monthlyCredits)} credits a month`,
  ].filter((words) => words !== false);
}

const few = (entries: readonly string[]): string =>
  entries.length <= 3 ? entries.join(', ') : `${entries.slice(0, 2).join(', ')} and ${entries.length - 2} more`;

export const nameOf = ({ label, prefix }: Pick<Key, 'label' | 'prefix'>): string =>
  label === null ? `${prefix}…` : `“${label}” (${prefix}…)`;

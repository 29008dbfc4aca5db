// Minimal pages and queries for the suites of the index.
import type { TestContext } from 'node:test';
import type { Clause, Conditions, Query } from '../../src/contracts/search/search-query.ts';
import type { IndexChange, IndexSearch, PageIndex } from '../../src/index/page-index.ts';
import type { IndexEntry } from '../../src/page/index-entry.ts';
import { createPageSharing, type PageOwner, SHARED, type Viewer } from '../../src/page/page-owner.ts';

export type OpenIndex = (t: TestContext) => Promise<PageIndex>;

export const NOW = Date.UTC(2031, 5, 15);
export const DAY = 86_400_000;

/** What teams see that share their pages. */
export const VIEWER = createPageSharing({ isolatesTeams: false }).viewerOf('team');

export interface SamplePage extends Partial<IndexEntry> {
  url: string;
  owner?: PageOwner;
  isVerified?: boolean;
  firstSeenAt?: number;
}

export function entryOf({ firstSeenAt: _, owner: __, isVerified: ___, ...given }: SamplePage): IndexEntry {
  return {
    title: '',
    description: '',
    headings: '',
    body: '',
    language: 'en',
    countries: [],
    fetchedAt: NOW,
    fileType: 'html',
    isNews: false,
    quality: 0.5,
    links: [],
    images: [],
    simhash: '',
    ...given,
  };
}

export const bytesOf = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

/** The change that adds a page, or removes it if only its address is given. */
export const changeOf = (page: SamplePage | string, change: number): IndexChange =>
  typeof page === 'string'
    ? { change, owner: SHARED, url: page, isVerified: true, firstSeenAt: NOW, entry: null }
    : {
        change,
        owner: page.owner ?? SHARED,
        url: page.url,
        isVerified: page.isVerified ?? true,
        firstSeenAt: page.firstSeenAt ?? NOW,
        entry: bytesOf(entryOf(page)),
      };

/** Applies pages one after the other, following all earlier changes. */
export async function feed(index: PageIndex, ...pages: (SamplePage | string)[]): Promise<void> {
  const applied = await index.applied();
  await index.apply(pages.map((page, i) => changeOf(page, applied + i + 1)));
}

/** Words are clauses too; a leading minus negates a word. */
export function queryOf(...parts: (string | Clause)[]): Query {
  const clauses = parts.flatMap((part): Clause[] =>
    typeof part === 'string'
      ? part
          .split(' ')
          .filter((word) => word !== '')
          .map((word) =>
            word.startsWith('-')
              ? { kind: 'word', text: word.slice(1), negated: true }
              : { kind: 'word', text: word, negated: false },
          )
      : [part],
  );
  return { text: parts.filter((part) => typeof part === 'string').join(' '), clauses };
}

export const phrase = (text: string, negated = false): Clause => ({ kind: 'phrase', text, negated });
export const site = (host: string, path = '', negated = false): Clause => ({ kind: 'site', host, path, negated });
export const filetype = (extension: string, negated = false): Clause => ({ kind: 'filetype', extension, negated });
export const related = (host: string, negated = false): Clause => ({ kind: 'related', host, negated });
export const wordClause = (
  kind: 'inurl' | 'allinurl' | 'intitle' | 'allintitle',
  words: string[],
  negated = false,
): Clause => ({ kind, words, negated });
export const size = (kind: 'imagesize' | 'larger', width: number, height: number, negated = false): Clause => ({
  kind,
  width,
  height,
  negated,
});

export interface Asking extends Partial<Conditions> {
  limit?: number;
  highlights?: boolean;
  viewer?: Viewer;
  verifiedOnly?: boolean;
}

export function searchOf(query: Query, asking: Asking = {}): IndexSearch {
  const { limit = 10, highlights = false, viewer = VIEWER, verifiedOnly = false, ...conditions } = asking;
  return {
    viewer,
    verifiedOnly,
    query,
    conditions: {
      sortByDate: false,
      includeDomains: [],
      excludeDomains: [],
      categories: [],
      country: 'US',
      language: 'en',
      ...conditions,
    },
    limit,
    highlights,
    now: NOW,
  };
}

/** The addresses found, best first. */
export const urlsOf = async (index: PageIndex, query: Query, asking?: Asking): Promise<string[]> =>
  (await index.web(searchOf(query, asking))).map(({ url }) => url);

export const filler = (words: number, from = 'lorem ipsum dolor sit amet consectetur adipiscing elit'): string => {
  const list = from.split(' ');
  return Array.from({ length: words }, (_, i) => list[i % list.length]).join(' ');
};

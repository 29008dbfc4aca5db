// The most frequent terms that begin with what somebody has typed, taken from the best pages that have one.
import type { Viewer } from '../../../page/page-owner.ts';
import type { PageDocuments } from '../engine/page-store.ts';
import { countTerms } from './term-counts.ts';

const PAGES = 40;
const MOST_COUNTED = 150;

export async function fetchCompletions(store: PageDocuments, viewer: Viewer, prefix: string): Promise<string[]> {
  const [answer] = await store.search([
    {
      size: PAGES,
      _source: ['words'],
      query: { bool: { filter: [{ terms: { owner: viewer } }, { prefix: { words: { value: prefix } } }] } },
      sort: [{ rank: 'desc' }, { change: 'desc' }],
    },
  ]);
  const found = new Map<string, number>();
  for (const { _source } of answer!.hits.hits) {
    for (const counted of (_source as { words: string }).words.split(' ')) {
      if (!counted.startsWith(prefix)) continue;
      const term = counted.slice(0, counted.lastIndexOf('|'));
      found.set(term, (found.get(term) ?? 0) + 1);
    }
  }
  const counts = await countTerms(store, viewer, byFrequency(found).slice(0, MOST_COUNTED));
  return byFrequency(new Map([...counts].map(([term, { visible }]) => [term, visible])));
}

const byFrequency = (frequencies: ReadonlyMap<string, number>): string[] =>
  [...frequencies].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([term]) => term);

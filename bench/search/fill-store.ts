// Writes generated pages into a data folder through the store, as if a service had fetched them. The index follows.
import { SHARED } from '../../src/page/page-owner.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Corpus } from '../corpus/corpus.ts';

/** Larger than all pages together, so that none is evicted. */
const CACHE_BYTES = 100e9;
const AT_ONCE = 64;

export async function writePages(dataDir: string, corpus: Corpus, count: number): Promise<void> {
  const store = await openSqliteStore({ dataDir, cacheMaxBytes: CACHE_BYTES });
  try {
    for (let from = 0; from < count; from += AT_ONCE) {
      const numbers = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, n) => from + n);
      await Promise.all(numbers.map((number) => store.pages.save(storedPage(corpus, number))));
    }
  } finally {
    await store.close();
  }
}

const VARIANT = {
  mobile: false,
  location: { country: 'US', languages: ['en-US'] },
  waitFor: 0,
  blockAds: true,
  proxy: 'basic' as const,
};

/** Only the index entry matters. The fetched page and its result are as small as possible. */
function storedPage(corpus: Corpus, number: number) {
  const { url, firstSeenAt, entry } = corpus.page(number).change;
  const digits = number.toString(16).padStart(16, '0');
  return {
    page: {
      key: url,
      owner: SHARED,
      url,
      variant: VARIANT,
      rank: 0,
      fetched: {
        requestedUrl: url,
        finalUrl: url,
        status: 200,
        headers: {},
        contentType: 'text/html',
        bytes: new TextEncoder().encode(`<p>${number}`),
        fetchedAt: firstSeenAt,
        engine: 'http' as const,
        proxyClass: 'basic' as const,
      },
      expiresAt: null,
      entry: entry!,
    },
    result: {
      transformKey: 'bench',
      outcome: {
        content: new TextEncoder().encode('{}'),
        metadata: {},
        verdict: { kind: 'content' as const, reason: '' },
        warnings: [],
        discovered: { links: [], next: [], fingerprint: { exact: digits, gist: digits, simhash: digits } },
      },
      now: firstSeenAt,
    },
  };
}

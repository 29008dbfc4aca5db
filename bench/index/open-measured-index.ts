// The index that a bench measures: the embedded one in a file, or with `--engine opensearch` one on TRAWL_TEST_OPENSEARCH,
// which is removed at the end.
import { randomBytes } from 'node:crypto';
import { openPageIndex } from '../../src/index/open-index.ts';
import { createEngine } from '../../src/index/opensearch/engine/engine.ts';
import { openOpenSearchIndex } from '../../src/index/opensearch/open-opensearch-index.ts';
import type { PageIndex } from '../../src/index/page-index.ts';

// The measured thread must stay the same, even if generating queries takes long.
const IDLE_MS = 3_600_000;

export const isOnOpenSearch = (engine: string | undefined): boolean => engine === 'opensearch';

/** `engine` is what follows `--engine`. */
export async function openMeasuredIndex(engine: string | undefined, file: string): Promise<PageIndex> {
  const onCrash = (error: Error) => {
    throw error;
  };
  if (!isOnOpenSearch(engine)) return openPageIndex({ file, idleMs: IDLE_MS, onCrash });
  const server = process.env.TRAWL_TEST_OPENSEARCH;
  if (server === undefined) throw new Error('Set TRAWL_TEST_OPENSEARCH to the URL of an OpenSearch.');
  const prefix = `trawl-bench-${randomBytes(4).toString('hex')}`;
  const opened = await openOpenSearchIndex({ url: `${server}/${prefix}`, onCrash });
  if ('problem' in opened) throw new Error(opened.problem);
  return {
    ...portOf(opened),
    async close() {
      await opened.close();
      const cluster = createEngine({ nodes: [server], prefix });
      await cluster.call({ method: 'DELETE', path: `/${prefix}-pages-v*` });
      await cluster.close();
    },
  };
}

/** The methods of a port in another thread are not its own properties. */
const portOf = (index: PageIndex): PageIndex => ({
  applied: () => index.applied(),
  apply: (changes) => index.apply(changes),
  appliedNext: () => index.appliedNext(),
  applyNext: (changes) => index.applyNext(changes),
  clear: () => index.clear(),
  web: (search) => index.web(search),
  news: (search) => index.news(search),
  images: (search) => index.images(search),
  find: (find) => index.find(find),
  suggest: (wanted) => index.suggest(wanted),
  passages: (wanted) => index.passages(wanted),
  texts: (wanted) => index.texts(wanted),
  missingVectors: (most) => index.missingVectors(most),
  addVectors: (vectors) => index.addVectors(vectors),
  stats: () => index.stats(),
  close: () => index.close(),
});

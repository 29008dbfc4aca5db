// The texts of search results whose chunks are wanted: what was scraped now, else what the index has of the page.
import type { FoundChunk } from '../../../contracts/formats/chunk.ts';
import type { SearchRequest } from '../../../contracts/search/search.ts';
import type { PageIndex } from '../../../index/page-index.ts';
import type { PageSharing } from '../../../page/page-owner.ts';
import { normaliseUrl } from '../../../urls/url.ts';
import type { Caller } from '../../caller.ts';
import type { AskedSearch } from '../search-request.ts';
import type { FoundSource } from '../search-source.ts';
import { asMarkdown, type BestChunksDeps, bestChunks } from './best-chunks.ts';

export interface ResultChunksDeps extends BestChunksDeps {
  index: Pick<PageIndex, 'texts'>;
  asksIndex: boolean;
  sharing: PageSharing;
}

interface Circumstances {
  request: SearchRequest;
  asked: AskedSearch;
  found: readonly FoundSource[];
  /** The Markdown of a result that was scraped. */
  markdownOf(url: string): string | undefined;
  deadline: number;
}

/** The index has texts as they were before they were redacted. */
const mayReadIndex = ({ scrapeOptions }: SearchRequest): boolean => scrapeOptions.redactPII === false;

export async function chunksOfResults(
  deps: ResultChunksDeps,
  caller: Caller,
  { request, asked, found, markdownOf, deadline }: Circumstances,
): Promise<FoundChunk[]> {
  const results = found.flatMap(({ source, results: own }) => (source === 'images' ? [] : own));
  const titles = new Map(results.map(({ result }) => [result.url, result.title]));
  const urls = [...titles.keys()];
  const unread = deps.asksIndex && mayReadIndex(request) ? urls.filter((url) => markdownOf(url) === undefined) : [];
  const visible = {
    viewer: deps.sharing.viewerOf(caller.team.id),
    verifiedOnly: !request.scrapeOptions.skipTlsVerification,
  };
  // Without the index, what was scraped remains.
  const wanted = { ...visible, urls: unread.map((url) => normaliseUrl(new URL(url))) };
  const texts = (unread.length > 0 && (await deps.index.texts(wanted).catch(() => []))) || [];
  const stored = new Map(unread.map((url, at) => [url, texts[at]]));
  const pages = urls.flatMap((url) => {
    const text = stored.get(url);
    const markdown = markdownOf(url) ?? (text ? asMarkdown(text) : undefined);
    return markdown === undefined ? [] : [{ url, title: titles.get(url)!, markdown }];
  });
  const { query, isTraceless } = asked;
  return bestChunks(
    deps,
    { query, pages, limit: request.limit, byMeaning: true, isPrivate: isTraceless, deadline },
    caller,
  );
}

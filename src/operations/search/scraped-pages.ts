// The pages of the results, as far as they were scraped.
import type { ScrapedResult, ScrapeResult } from './scrape-results.ts';
import { addressKey, type FoundSource } from './search-source.ts';

/** By the URL of the result. */
export type ScrapedPages = ReadonlyMap<string, ScrapedResult>;

export async function scrapeAll(found: FoundSource[], scrape: ScrapeResult): Promise<ScrapedPages> {
  const urls = new Set(
    found.flatMap(({ source, results }) => (source === 'images' ? [] : results.map(({ result }) => result.url))),
  );
  const pages = await Promise.all([...urls].map(async (url) => [url, await scrape(url)] as const));
  return new Map(pages);
}

/** Two results may turn out to be one page when they are scraped, because one redirects to the other. */
export function withoutRepeats(found: FoundSource, pages: ScrapedPages): FoundSource {
  const seen = new Set<string>();
  const results = found.results.filter(({ result }) => {
    const page = pages.get(result.url);
    const key = addressKey(page && !('errorCode' in page.metadata) ? page.metadata.url : result.url);
    return !seen.has(key) && seen.add(key);
  });
  return found.source === 'images' ? found : { ...found, results };
}

export function markdownOf(page: ScrapedResult | undefined): string | undefined {
  if (page === undefined) return undefined;
  return (JSON.parse(Buffer.from(page.content).toString()) as { markdown?: string }).markdown || undefined;
}

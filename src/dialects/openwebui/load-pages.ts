// Several pages as Markdown, read at the same time and within one deadline.
import type { DialectAnswer, Trawl } from '../dialect.ts';
import { readPages } from '../shared/read-pages.ts';
import { described } from './describe-page.ts';

/** Open WebUI waits for as long as it takes, and its user with it. */
const DEADLINE_MS = 60_000;

/** In the order of `urls`, without those that cannot be read. Throws if the caller may read none. */
export async function loadPages(urls: readonly string[], trawl: Trawl): Promise<DialectAnswer> {
  const pages = await readPages(urls, { formats: ['markdown'], timeout: DEADLINE_MS }, trawl);
  const read = pages.flatMap(({ url, page }) =>
    page?.markdown ? [{ page_content: page.markdown, metadata: { source: url, ...described(page) } }] : [],
  );
  return { body: read, warnings: pages.map(({ url, error }) => error && `${url}: ${error.message}`) };
}

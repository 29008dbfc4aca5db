// Several pages as Markdown, read at the same time and within one deadline.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { DialectAnswer, Trawl } from '../dialect.ts';
import { described } from './describe-page.ts';

/** Open WebUI waits for as long as it takes, and its user with it. */
const DEADLINE_MS = 60_000;
/** These are about the caller and not about a page: who only gets some pages would not learn of them. */
const isOfCaller = ({ status, code }: ServiceError): boolean =>
  status === 401 || status === 402 || status === 429 || code === 'KEY_RESTRICTED';

/** In the order of `urls`, without those that cannot be read. Throws if the caller may read none. */
export async function loadPages(urls: readonly string[], trawl: Trawl): Promise<DialectAnswer> {
  const pages = await Promise.allSettled(
    urls.map((url) => trawl.call('scrape', { body: { url, formats: ['markdown'], timeout: DEADLINE_MS } })),
  );
  const read = pages.flatMap((page, at) => {
    if (page.status === 'rejected' || !page.value.data.markdown) return [];
    const { data } = page.value;
    return [{ page_content: data.markdown, metadata: { source: urls[at]!, ...described(data) } }];
  });
  const failures = pages.flatMap((page, at) =>
    page.status === 'rejected' ? [{ url: urls[at]!, error: asKnown(page.reason) }] : [],
  );
  const refusal = failures.find(({ error }) => isOfCaller(error));
  if (read.length === 0 && refusal) throw refusal.error;
  return { body: read, warnings: failures.map(({ url, error }) => `${url}: ${error.message}`) };
}

/** Anything else is no answer to one page, but an end of the request. */
function asKnown(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  throw error;
}

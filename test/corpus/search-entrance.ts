// The entrance of search: results of a provider are scraped if the caller asks for it.
import { type ErrorCode, ServiceError } from '../../src/contracts/errors.ts';
import { type Found, SEARCH } from '../support/search/search.ts';
import type { Stage } from './stage.ts';

// Provider answers are cached, so every search uses a different query.
let searches = 0;

/** Why the scrape of one result failed. */
const CODES: Record<number, ErrorCode> = { 400: 'BAD_REQUEST', 403: 'UNSUPPORTED_SITE' };

export async function scrapeSearchResult(stage: Stage, target: string): Promise<string> {
  const service = await stage.service();
  stage.provider.give({ url: target, title: 'A result' });
  const { body } = await service.post<Found>(SEARCH, {
    query: `result ${searches++}`,
    scrapeOptions: { formats: ['rawHtml'], maxAge: 0 },
  });
  const [item] = body.data.web as { rawHtml?: string; metadata: { statusCode: number; error?: string } }[];
  // Anything but the URL of a page is dropped from the results.
  if (!item) throw new ServiceError('BAD_REQUEST');
  const { statusCode, error } = item.metadata;
  if (item.rawHtml !== undefined) return item.rawHtml;
  throw new ServiceError(CODES[statusCode] ?? 'SCRAPE_SITE_ERROR', { message: error });
}

// The entrances of search: results of a provider are scraped if the caller asks for it, and so are full texts of papers.
import { type ErrorCode, ServiceError } from '../../src/contracts/errors/errors.ts';
import { sendJson } from '../support/search/provider-stand-ins.ts';
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

let papers = 0;

export async function readFullText(stage: Stage, target: string): Promise<string> {
  const service = await stage.service();
  const id = `W${1_000 + papers++}`;
  const work = { id: `https://openalex.org/${id}`, display_name: 'A paper', best_oa_location: { pdf_url: target } };
  stage.catalogues.behave('openalex', (response) => sendJson(response, work));
  const response = await service.fetch(`/v2/search/research/papers/${id}?query=open+site+or+canary`);
  const { passages, warning = '' } = (await response.json()) as { passages: { text: string }[]; warning?: string };
  if (passages[0]) return passages[0].text;
  // Anything but the URL of a page is dropped from the record.
  if (/names a free full text/.test(warning)) throw new ServiceError('BAD_REQUEST');
  const isRefused = /private, loopback or reserved|(?:which|\d) is refused|not a valid URL/.test(warning);
  throw new ServiceError(isRefused ? 'UNSUPPORTED_SITE' : 'SCRAPE_SITE_ERROR', { message: warning });
}

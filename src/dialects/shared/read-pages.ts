// Several pages, read at the same time: each is a call of its own, and one that fails does not take the others away.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { ResponseOf } from '../../contracts/route-types.ts';
import type { Trawl } from '../dialect.ts';

export type ReadDocument = ResponseOf<'scrape'>['data'];

export interface ReadPage {
  /** As it was asked for. */
  url: string;
  page?: ReadDocument;
  error?: ServiceError;
}

/** These are about the caller and not about a page: who only gets some pages would not learn of them. */
const isOfCaller = ({ status, code }: ServiceError): boolean =>
  status === 401 || status === 402 || status === 429 || code === 'KEY_RESTRICTED';

/** In the order of `urls`. Throws if the caller may read none of them. */
export async function readPages(urls: readonly string[], options: object, trawl: Trawl): Promise<ReadPage[]> {
  const answers = await Promise.allSettled(urls.map((url) => trawl.call('scrape', { body: { ...options, url } })));
  const pages = answers.map((answer, at): ReadPage => {
    const url = urls[at]!;
    return answer.status === 'fulfilled' ? { url, page: answer.value.data } : { url, error: asKnown(answer.reason) };
  });
  const refusal = pages.find(({ error }) => error && isOfCaller(error))?.error;
  if (refusal && pages.every(({ error }) => error)) throw refusal;
  return pages;
}

/** Anything else is no answer about a page, but an end of the request. */
export function asKnown(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  throw error;
}

/** What reading them cost; a page that could not be read costs nothing here. */
export const creditsOf = (pages: readonly ReadPage[]): number =>
  pages.reduce((sum, { page }) => sum + (page?.metadata.creditsUsed ?? 0), 0);

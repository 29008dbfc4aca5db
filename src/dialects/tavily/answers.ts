// What the answers of Tavily have in common.
import type { DialectRequest } from '../dialect.ts';
import { bestOf } from '../shared/passages.ts';

/** Begins to count; the function that it returns gives the last fields of an answer. */
export function timed({ id }: Pick<DialectRequest, 'id'>): (credits?: number) => object {
  const began = performance.now();
  return (credits) => ({
    response_time: Number(((performance.now() - began) / 1000).toFixed(2)),
    ...(credits !== undefined && { usage: { credits } }),
    request_id: id,
  });
}

/** Only of pages that were read: it is in their head. */
export function faviconOf(
  { include_favicon: isAsked }: { include_favicon: boolean },
  metadata: Readonly<Record<string, unknown>> = {},
): { favicon?: string } {
  const { favicon } = metadata;
  return isAsked && typeof favicon === 'string' ? { favicon } : {};
}

/** The best passages of a page as one text; undefined if there are none. */
export const passagesOf = (highlights: string | undefined, query: string, count: number): string | undefined =>
  bestOf(highlights, query, count)?.join(' [...] ');

export const TEXT_IS_MARKDOWN = 'The format `text` was answered with Markdown.';

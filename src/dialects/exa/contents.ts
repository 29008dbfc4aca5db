// What Exa's clients want of each page, as formats of a scrape, and a page in their words.

import { bestOf } from '../shared/passages.ts';
import { scoreOfRank } from '../shared/rank-score.ts';
import type { ReadDocument } from '../shared/read-pages.ts';
import { objectOf } from '../shared/sent-fields.ts';
import { readTime } from '../shared/times.ts';
import type { Contents } from './fields.ts';

const HOUR_MS = 3_600_000;
const SHORTEST_TIMEOUT_MS = 1_000;
const DEFAULT_PASSAGES = 3;

/** Older clients send the options beside `contents`. */
export const contentsOf = ({ contents, ...beside }: Contents & { contents?: Contents | undefined }): Contents => ({
  ...beside,
  ...contents,
});

export interface PageAsk {
  options: Record<string, unknown>;
  /** What the passages fit; undefined if none are asked for. */
  passages?: string;
  warnings: string[];
}

/** `query`: what was searched for. */
export function askOf(contents: Contents, query?: string): PageAsk {
  const { text, highlights, summary, extras, subpages, livecrawlTimeout } = contents;
  const wanted = highlights ? (objectOf(highlights).query as string | undefined) || query : undefined;
  const formats = [
    ...(text ? [objectOf(text).includeHtmlTags === true ? 'html' : 'markdown'] : []),
    ...(wanted === undefined ? [] : [{ type: 'highlights', query: wanted }]),
    ...(summary ? [summaryFormat(objectOf(summary))] : []),
    ...(extras?.links ? ['links'] : []),
    ...(extras?.imageLinks ? ['images'] : []),
  ];
  return {
    options: {
      formats,
      ...ageOf(contents),
      ...(livecrawlTimeout !== undefined && { timeout: Math.max(SHORTEST_TIMEOUT_MS, livecrawlTimeout) }),
    },
    ...(wanted !== undefined && { passages: wanted }),
    warnings: [
      ...(highlights && wanted === undefined ? ['`highlights` were left out: they need a `query`.'] : []),
      ...(subpages ? ['`subpages` was ignored.'] : []),
    ],
  };
}

function summaryFormat({ query, schema }: { query?: unknown; schema?: unknown }): unknown {
  if (schema !== undefined) return { type: 'json', schema, ...(query !== undefined && { prompt: query }) };
  return query === undefined ? 'summary' : { type: 'question', question: query };
}

/** Whether the cache may answer, or only it. */
function ageOf({ maxAgeHours: hours, livecrawl }: Contents): { maxAge?: number; minAge?: number } {
  if (hours === undefined ? livecrawl === 'never' : hours < 0) return { minAge: 0 };
  if (hours !== undefined) return { maxAge: Math.round(hours * HOUR_MS) };
  return livecrawl === 'always' ? { maxAge: 0 } : {};
}

type Page = Partial<Omit<ReadDocument, 'metadata'>> & { metadata?: Partial<ReadDocument['metadata']> | undefined };

/** The fields of a result that are known from its page; only those that were asked for have a key. */
export function pageFields(page: Page, contents: Contents, passages: string | undefined): Record<string, unknown> {
  const { metadata = {}, links = [], images = [] } = page;
  const { text, summary, extras } = contents;
  const { ogImage, favicon } = metadata;
  return {
    publishedDate: readTime(metadata.publishedTime)?.toISOString() ?? null,
    author: textOf(metadata.author) ?? null,
    ...(textOf(ogImage) && { image: ogImage }),
    ...(textOf(favicon) && { favicon }),
    ...(text && { text: cut((page.html ?? page.markdown) || '', objectOf(text).maxCharacters) }),
    ...(passages !== undefined && highlightsOf(page, contents, passages)),
    ...(summary && { summary: summaryOf(page) }),
    ...(extras && { extras: { links: links.slice(0, extras.links), imageLinks: images.slice(0, extras.imageLinks) } }),
  };
}

function highlightsOf(page: Page, { highlights }: Contents, query: string): object {
  const { highlightsPerUrl, maxCharacters } = objectOf(highlights);
  const count = typeof highlightsPerUrl === 'number' ? highlightsPerUrl : DEFAULT_PASSAGES;
  let room = typeof maxCharacters === 'number' ? maxCharacters : Number.POSITIVE_INFINITY;
  const found = (bestOf(page.highlights, query, count) ?? []).flatMap((passage) => {
    const kept = cut(passage, Math.max(0, room));
    room -= kept.length;
    return kept === '' ? [] : [kept];
  });
  return { highlights: found, highlightScores: found.map((_, rank) => scoreOfRank(rank)) };
}

const summaryOf = ({ summary, answer, json }: Page): string =>
  json === undefined ? (summary ?? answer ?? '') : JSON.stringify(json);

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const cut = (text: string, max: unknown): string =>
  typeof max === 'number' ? text.slice(0, max).toWellFormed() : text;

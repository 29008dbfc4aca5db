// Writes the answer of a search as JSON text: the results of each source, with their scraped content.
import type { FoundChunk } from '../../contracts/formats/chunk.ts';
import type { ScrapeIds, SearchExplanation } from '../../contracts/search/search.ts';
import type { Source } from '../../contracts/search/search-query.ts';
import type { Fused } from '../../search/fuse.ts';
import type { ResultCandidate } from '../../search/match/visible-result.ts';
import { categoriesOf } from '../../urls/categories.ts';
import { iso } from '../../util/clock.ts';
import { continued, JsonText } from '../../util/json/json-text.ts';
import type { ScrapedResult } from './scrape-results.ts';
import type { FoundSource } from './search-source.ts';

interface ItemOptions {
  source: Source;
  position: number;
  /** Whether categories were requested: results then name theirs. */
  isCategorised: boolean;
  isExplained: boolean;
}

export function resultItem(
  { result, given, score, meaning, ranking }: Fused<ResultCandidate>,
  options: ItemOptions,
): Record<string, unknown> {
  const { source, position, isExplained } = options;
  const { url, title, description, date, imageUrl, imageWidth, imageHeight, isUnverified } = result;
  const parts = meaning === undefined ? undefined : partsOf(score - meaning, meaning);
  const more = {
    ...(isUnverified && { tlsVerified: false }),
    ...(isExplained && { explain: { providers: given, ...(parts && { parts }), ...(ranking && { ranking }) } }),
  };
  switch (source) {
    case 'web':
      return { url, title, description, position, ...categoryOf(result, options), ...more };
    case 'news':
      return {
        title,
        url,
        snippet: description,
        ...(date !== undefined && { date: iso(date) }),
        ...(imageUrl !== undefined && { imageUrl }),
        position,
        ...more,
      };
    case 'images':
      return {
        title,
        imageUrl,
        ...(imageWidth !== undefined && { imageWidth }),
        ...(imageHeight !== undefined && { imageHeight }),
        url,
        position,
        ...more,
      };
  }
}

const partsOf = (ranks: number, meaning: number) => [
  { part: 'ranks', value: precise(ranks) },
  { part: 'meaning', value: precise(meaning) },
];
const precise = (value: number): number => Number(value.toFixed(5));

/** In the contract, results have the category github or research, but not pdf. */
function categoryOf({ url, category }: ResultCandidate, { isCategorised }: ItemOptions): { category?: string } {
  if (!isCategorised) return {};
  const found = category ?? categoriesOf(new URL(url)).find((name) => name !== 'pdf');
  return found === undefined || found === 'pdf' ? {} : { category: found };
}

/** A result with the scraped content added to its own fields, in parts. */
export function writeItem(item: Record<string, unknown>, scraped: ScrapedResult | undefined): Uint8Array[] {
  if (!scraped) return [Buffer.from(JSON.stringify(item))];
  const { content, warning } = scraped;
  const { title, description, snippet } = item;
  const metadata = { title, description: description ?? snippet, ...scraped.metadata };
  return continued(content, JSON.stringify({ ...item, ...(warning && { warning }), metadata }));
}

export function writeAnswer(
  head: {
    id: string;
    creditsUsed: number;
    warning?: string;
    suggestion?: string;
    scrapeIds?: ScrapeIds;
    explain?: SearchExplanation;
  },
  lists: { source: Source; items: Uint8Array[][] }[],
  chunks?: readonly FoundChunk[],
): Promise<JsonText> {
  const { id, creditsUsed, warning, suggestion, scrapeIds, explain } = head;
  const start = JSON.stringify({
    success: true,
    id,
    creditsUsed,
    ...(warning && { warning }),
    ...(suggestion !== undefined && { suggestion }),
    ...(scrapeIds && { scrapeIds }),
    ...(explain && { explain }),
  });
  const data = lists.flatMap(({ source, items }, index) => [
    `${index > 0 ? ',' : ''}"${source}":[`,
    ...items.flatMap((item, at) => (at > 0 ? [',', ...item] : item)),
    ']',
  ]);
  const best = chunks ? [`${lists.length > 0 ? ',' : ''}"chunks":`, JSON.stringify(chunks)] : [];
  return JsonText.joined(start.slice(0, -1), ',"data":{', ...data, ...best, '}}');
}

export function explain(found: FoundSource[], timing: Record<string, number>): SearchExplanation {
  const rounded = Object.entries(timing).map(([step, ms]) => [step, round(ms)]);
  const blocked = found.reduce((sum, source) => sum + source.blocked, 0);
  return {
    providers: found.flatMap(({ source, runs }) =>
      runs.map(({ provider, state, kept, dropped, requests, ms, problem }) => ({
        source,
        provider,
        state,
        results: kept.length + dropped.length,
        requests,
        ms: round(ms),
        ...(problem !== undefined && { problem }),
      })),
    ),
    dropped: found.flatMap(({ source, runs }) =>
      runs.flatMap(({ provider, dropped }) => dropped.map((item) => ({ source, provider, ...item }))),
    ),
    ...(blocked > 0 && { blocked }),
    timing: Object.fromEntries(rounded),
  };
}

const round = (ms: number): number => Math.round(ms * 10) / 10;

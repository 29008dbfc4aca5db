// The parameters of Brave's searches, which arrive as texts.
import { z } from 'zod';
import { ServiceError } from '../../contracts/errors/errors.ts';
import { MAX_SEARCH_LIMIT } from '../../contracts/search/search.ts';
import { validate } from '../../contracts/validate/validate.ts';
import type { DialectRequest } from '../dialect.ts';
import { cutQuery } from '../shared/cut-query.ts';
import { ignoredFields } from '../shared/ignored-fields.ts';
import { isYes, sentFields } from '../shared/sent-fields.ts';

const MAX_QUERY = 20_000;
const MAX_NAME = 256;
const MAX_OFFSET = 9;
const TIMES: Readonly<Record<string, string>> = { pd: 'qdr:d', pw: 'qdr:w', pm: 'qdr:m', py: 'qdr:y' };

const name = z.union([z.string(), z.number(), z.boolean()]).transform(String).pipe(z.string().max(MAX_NAME));

export const searchFields = z.object({
  q: z.string({ error: 'Set `q` to what to search for.' }).trim().min(1, '`q` is empty.').max(MAX_QUERY),
  count: z.coerce.number().int().min(1).optional().describe('Number of results: 20 by default, 50 images.'),
  offset: z.coerce.number().int().min(0).max(MAX_OFFSET).default(0).describe('Pages to leave out.'),
  country: name.optional().describe('Two letters, or ALL.'),
  search_lang: name.optional().describe('For example de.'),
  safesearch: z.enum(['off', 'moderate', 'strict']).optional(),
  freshness: name.optional().describe('pd, pw, pm, py, or YYYY-MM-DDtoYYYY-MM-DD.'),
  result_filter: z.string().max(MAX_QUERY).optional().describe('With commas: web, news. Others have no results here.'),
  maximum_number_of_tokens: z.coerce.number().int().min(1).optional().describe('Of the context for a model.'),
});

/** What Brave would do besides. Nobody is told about switches that are off. */
const UNSERVED = [
  'goggles',
  'goggles_id',
  'extra_snippets',
  'summary',
  'include_fetch_metadata',
  'enable_rich_callback',
];

export interface BraveSearch {
  q: string;
  /** A search of the pipeline, without its sources. */
  search: Record<string, unknown>;
  skip: number;
  limit: number;
  /** Undefined: every section. */
  sections: Set<string> | undefined;
  maxTokens: number | undefined;
  warnings: (string | undefined)[];
}

/** Throws BAD_REQUEST. */
export function readSearch(request: Pick<DialectRequest, 'query' | 'body'>, most: number, usual = 20): BraveSearch {
  const sent = sentFields(request);
  const fields = validate(searchFields, sent);
  const { query, warning } = cutQuery(fields.q);
  const size = Math.min(fields.count ?? usual, most, MAX_SEARCH_LIMIT);
  const country = fields.country?.toUpperCase() === 'ALL' ? undefined : fields.country;
  const unserved = UNSERVED.map((each) => [each, isOff(sent[each]) ? undefined : sent[each]]);
  return {
    q: fields.q,
    search: {
      ...{ query, country, lang: fields.search_lang, ...timeOf(fields.freshness) },
      ...(fields.safesearch !== undefined && { safe: fields.safesearch !== 'off' }),
    },
    skip: fields.offset * size,
    limit: (fields.offset + 1) * size,
    sections: fields.result_filter === undefined ? undefined : new Set(fields.result_filter.split(/\s*,\s*/)),
    maxTokens: fields.maximum_number_of_tokens,
    warnings: [warning, ignoredFields(Object.fromEntries(unserved))],
  };
}

const isOff = (value: unknown): boolean =>
  typeof value !== 'string' || (/^(?:true|false|0|1)$/i.test(value) && !isYes(value));

function timeOf(freshness: string | undefined): { tbs?: string } {
  if (freshness === undefined) return {};
  const [, from, to] = /^(\d{4}-\d\d-\d\d)to(\d{4}-\d\d-\d\d)$/.exec(freshness) ?? [];
  const tbs = from !== undefined ? `cdr:1,cd_min:${usDate(from)},cd_max:${usDate(to!)}` : TIMES[freshness];
  if (tbs !== undefined) return { tbs };
  const message = '`freshness` is pd, pw, pm, py, or two dates as in 2026-01-01to2026-01-31.';
  throw new ServiceError('BAD_REQUEST', { message });
}

function usDate(date: string): string {
  const [year, month, day] = date.split('-');
  return `${month}/${day}/${year}`;
}

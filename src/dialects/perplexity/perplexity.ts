// The search of Perplexity: results with long snippets.
import { z } from 'zod';
import { MAX_URL_LENGTH, nameText } from '../../contracts/bounds.ts';
import type { ResponseOf } from '../../contracts/route-types.ts';
import { validate } from '../../contracts/validate/validate.ts';
import { estimateTokens, fitTokens } from '../../text/estimate-tokens.ts';
import type { DialectAnswer, DialectRequest, DialectTable, Trawl } from '../dialect.ts';
import { cutQuery } from '../shared/cut-query.ts';
import { type Domains, readDomains } from '../shared/domains.ts';
import { errorText } from '../shared/error-text.ts';
import { sentFields } from '../shared/sent-fields.ts';
import { readTime, tbsBetween, tbsOfPeriod } from '../shared/times.ts';

const MAX_QUERY = 20_000;
const MAX_QUERIES = 5;
const MAX_TOKENS = 100_000;

const NO_QUERY = 'Set `query` to the text to search for.';
const query = z.string({ error: NO_QUERY }).max(MAX_QUERY);
const day = z
  .string()
  .regex(/^\d{1,2}\/\d{1,2}\/\d{4}$/, 'Write dates as MM/DD/YYYY.')
  .optional();
const tokens = z.int().min(1).max(MAX_TOKENS).optional();

const searchFields = z.object({
  query: z
    .union([query, z.array(query).min(1).max(MAX_QUERIES)], { error: NO_QUERY })
    .describe(`A query, or a list of up to ${MAX_QUERIES}, which are answered by a list for each.`),
  max_results: z.int().min(1).max(20).default(10),
  search_domain_filter: z
    .array(z.string().max(MAX_URL_LENGTH))
    .max(20)
    .default([])
    .describe('Domains with their subdomains; `-` before one excludes it.'),
  search_recency_filter: z.enum(['hour', 'day', 'week', 'month', 'year']).optional(),
  search_after_date_filter: day.describe('MM/DD/YYYY.'),
  search_before_date_filter: day.describe('MM/DD/YYYY.'),
  search_language_filter: z.array(nameText).max(10).default([]).describe('The first one counts.'),
  country: nameText.optional().describe('Two-letter code.'),
  max_tokens_per_page: tokens.describe(
    'Reads each page for the passages that fit, up to so many tokens, at 5 credits each. Without it, a snippet is one passage.',
  ),
  max_tokens: tokens.describe('Of all snippets together.'),
});

type Fields = z.output<typeof searchFields>;

export const perplexity: DialectTable = {
  routes: [
    {
      methods: ['POST'],
      paths: ['/search'],
      summary: 'Search',
      call: 'search',
      takes: searchFields,
      returns: '`results` with `title`, `url`, `snippet`, `date` and `last_updated`.',
      answer: search,
    },
  ],
  writeError: (error) => ({
    body: { error: { message: errorText(error), type: error.code.toLowerCase(), code: error.status } },
  }),
};

async function search(request: DialectRequest, trawl: Trawl): Promise<DialectAnswer> {
  const fields = validate(searchFields, sentFields(request));
  const queries = [fields.query].flat();
  const domains = readDomains(
    fields.search_domain_filter.filter((domain) => !domain.startsWith('-')),
    fields.search_domain_filter.flatMap((domain) => (domain.startsWith('-') ? [domain.slice(1)] : [])),
  );
  const found = await Promise.all(queries.map((text) => searchOnce(text, { fields, domains }, trawl)));
  const lists = found.map(({ results }) => results);
  return {
    body: { id: request.id, results: lists.length > 1 ? lists : lists[0] },
    warnings: [domains.warning, ...found.flatMap(({ warnings }) => warnings)],
  };
}

interface Result {
  title: string;
  url: string;
  snippet: string;
  date: string | null;
  last_updated: string | null;
}

interface FoundOnce {
  results: Result[];
  warnings: (string | undefined)[];
}

interface Asked {
  fields: Fields;
  domains: Domains;
}

async function searchOnce(text: string, { fields, domains }: Asked, trawl: Trawl): Promise<FoundOnce> {
  const { query, warning } = cutQuery(text);
  const isRead = fields.max_tokens_per_page !== undefined;
  const [language] = fields.search_language_filter;
  const found = await trawl.call('search', {
    body: {
      query,
      limit: fields.max_results,
      tbs: timeOf(fields),
      ...domains.conditions,
      country: fields.country,
      lang: language,
      scrapeOptions: { formats: isRead ? [{ type: 'highlights', query }] : [] },
    },
  });
  const results = (found.data.web ?? [])
    .filter(({ url }) => !domains.isExcluded(url))
    .map((row) => resultOf(row, fields));
  return { results: withinTokens(results, fields.max_tokens), warnings: [warning, found.warning] };
}

function timeOf(fields: Fields): string | undefined {
  const { search_after_date_filter: after, search_before_date_filter: before, search_recency_filter: period } = fields;
  return tbsBetween(isoOf(after), isoOf(before)) ?? (period && tbsOfPeriod(period));
}

function isoOf(date: string | undefined): string | undefined {
  const [month, day, year] = date?.split('/') ?? [];
  return year && `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`;
}

type Row = NonNullable<ResponseOf<'search'>['data']['web']>[number];

const dayOf = (date: unknown): string | null => readTime(date)?.toISOString().slice(0, 'YYYY-MM-DD'.length) ?? null;

function resultOf({ title, url, description, highlights, metadata }: Row, fields: Fields): Result {
  const text = highlights || description;
  return {
    ...{ title, url, snippet: fitTokens(text, fields.max_tokens_per_page ?? MAX_TOKENS).text },
    date: dayOf(metadata?.publishedTime),
    last_updated: dayOf(metadata?.modifiedTime),
  };
}

/** The first results have most of them; what is left for the others may be nothing. */
function withinTokens(results: readonly Result[], max = Number.POSITIVE_INFINITY): Result[] {
  let room = max;
  return results.map((result) => {
    const { text } = fitTokens(result.snippet, room);
    room -= estimateTokens(text);
    return { ...result, snippet: text };
  });
}

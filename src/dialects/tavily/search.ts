// Searches of Tavily: those of POST /v2/search, with what its clients ask for beside the results.
import type { ResponseOf } from '../../contracts/route-types.ts';
import { validate } from '../../contracts/validate/validate.ts';
import { countryNamed } from '../../text/countries.ts';
import type { DialectAnswer, DialectRequest, Trawl } from '../dialect.ts';
import { type AskedPages, askPages } from '../shared/ask-pages.ts';
import { cutQuery } from '../shared/cut-query.ts';
import { readDomains } from '../shared/domains.ts';
import { scoreOfRank } from '../shared/rank-score.ts';
import { sentFields } from '../shared/sent-fields.ts';
import { readTime, tbsBetween, tbsOfPeriod } from '../shared/times.ts';
import { faviconOf, passagesOf, TEXT_IS_MARKDOWN, timed } from './answers.ts';
import { type SearchFields, searchFields } from './fields.ts';

type Found = ResponseOf<'search'>['data'];

const NOT_ASKED: AskedPages = { answer: null, credits: 0 };

export async function search(request: DialectRequest, trawl: Trawl): Promise<DialectAnswer> {
  const finish = timed(request);
  const fields = validate(searchFields, sentFields(request));
  const { query, warning: cut } = queryOf(fields);
  const domains = readDomains(fields.include_domains, fields.exclude_domains);
  const found = await trawl.call('search', {
    body: {
      query,
      limit: Math.max(1, fields.max_results),
      sources: [fields.topic === 'news' ? 'news' : 'web', ...(fields.include_images ? ['images'] : [])],
      tbs: timeOf(fields),
      ...domains.conditions,
      // The search refuses a name that is not valid.
      country: fields.country && (countryNamed(fields.country) ?? fields.country),
      lang: fields.language,
      safe: fields.safe_search || undefined,
      scrapeOptions: { formats: formatsOf(fields, query) },
    },
  });
  const results = resultsOf(found.data, query, fields).filter(({ url }) => !domains.isExcluded(url));
  const asked = fields.include_answer
    ? await askPages(
        query,
        results.map(({ url }) => url),
        trawl,
      )
    : NOT_ASKED;
  return {
    body: {
      ...{ query: fields.query, follow_up_questions: null, answer: asked.answer, images: imagesOf(found.data, fields) },
      results,
      ...finish(fields.include_usage ? found.creditsUsed + asked.credits : undefined),
    },
    warnings: [found.warning, cut, domains.warning, asked.warning, ...ignored(fields)],
  };
}

function queryOf({ query, exact_match: isExact }: SearchFields): { query: string; warning?: string } {
  if (!isExact) return cutQuery(query);
  const { query: words, warning } = cutQuery(query.replaceAll('"', ' '), MAX_QUOTED);
  return { query: words === '' ? '' : `"${words}"`, ...(warning !== undefined && { warning }) };
}

/** What a search takes without the quotes. */
const MAX_QUOTED = 498;

function timeOf({ start_date, end_date, time_range, days, topic }: SearchFields): string | undefined {
  const between = tbsBetween(start_date, end_date);
  if (between !== undefined || time_range !== undefined) return between ?? tbsOfPeriod(time_range!);
  // Some clients send `days` with every search.
  return topic === 'news' && days !== undefined ? `qdr:d${days}` : undefined;
}

const isThorough = ({ search_depth }: SearchFields): boolean => search_depth === 'advanced';

const formatsOf = (fields: SearchFields, query: string): unknown[] => [
  ...(fields.include_raw_content ? ['markdown'] : []),
  ...(isThorough(fields) ? [{ type: 'highlights', query }] : []),
];

interface Result {
  title: string;
  url: string;
  content: string;
  score: number;
  raw_content: string | null;
  published_date?: string;
  favicon?: string;
}

function resultsOf({ web = [], news = [] }: Found, query: string, fields: SearchFields): Result[] {
  const rows = [...web.map((row) => ({ ...row, snippet: row.description, date: undefined })), ...news];
  return rows.slice(0, fields.max_results).map((row, rank) => {
    const { url, title, snippet, date, highlights, markdown, metadata } = row;
    const published = readTime(date ?? metadata?.publishedTime)?.toUTCString();
    return {
      ...{ title, url },
      content: passagesOf(highlights, query, fields.chunks_per_source) ?? snippet,
      score: scoreOfRank(rank),
      raw_content: markdown ?? null,
      ...(published !== undefined && { published_date: published }),
      ...faviconOf(fields, metadata),
    };
  });
}

function imagesOf({ images = [] }: Found, fields: SearchFields): unknown[] {
  return images
    .slice(0, fields.max_results)
    .map(({ imageUrl, title }) =>
      fields.include_image_descriptions ? { url: imageUrl, description: title } : imageUrl,
    );
}

const ignored = (fields: SearchFields): (string | undefined)[] => [
  fields.topic === 'finance' ? 'The topic `finance` was searched as `general`.' : undefined,
  fields.auto_parameters ? '`auto_parameters` was ignored.' : undefined,
  fields.include_raw_content === 'text' ? TEXT_IS_MARKDOWN : undefined,
];

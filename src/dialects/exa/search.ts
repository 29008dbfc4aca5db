// Searches of Exa, with what is read of each result: those of POST /v2/search.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { ResponseOf } from '../../contracts/route-types.ts';
import { MAX_QUERY_LENGTH } from '../../contracts/search/search.ts';
import { validate } from '../../contracts/validate/validate.ts';
import type { DialectAnswer, DialectRequest, Trawl } from '../dialect.ts';
import { askPages } from '../shared/ask-pages.ts';
import { type CutQuery, cutQuery } from '../shared/cut-query.ts';
import { readDomains } from '../shared/domains.ts';
import { scoreOfRank } from '../shared/rank-score.ts';
import { sentFields } from '../shared/sent-fields.ts';
import { readTime, tbsBetween } from '../shared/times.ts';
import { askOf, contentsOf, pageFields } from './contents.ts';
import { answerFields, type SearchConditions, searchFields, similarFields } from './fields.ts';

const NO_STREAM = 'Streams are not served here. Leave out `stream`.';

export async function search(request: DialectRequest, trawl: Trawl): Promise<DialectAnswer> {
  const { query, stream, ...conditions } = validate(searchFields, sentFields(request));
  if (stream) throw new ServiceError('NOT_IMPLEMENTED', { message: NO_STREAM });
  return find(query, conditions, { request, trawl, passages: cutQuery(query).query });
}

/** Pages like this one are those of sites like its own. */
export async function findSimilar(request: DialectRequest, trawl: Trawl): Promise<DialectAnswer> {
  const { url, excludeSourceDomain, ...conditions } = validate(similarFields, sentFields(request));
  const host = URL.parse(url)?.hostname;
  if (!host) throw new ServiceError('BAD_REQUEST', { message: '`url` is not a URL. Write it with `https://`.' });
  const excludeDomains = [...conditions.excludeDomains, ...(excludeSourceDomain ? [host] : [])];
  return find(`related:${host}`, { ...conditions, excludeDomains }, { request, trawl });
}

interface Asked {
  request: DialectRequest;
  trawl: Trawl;
  /** What passages fit, unless they have a query of their own. */
  passages?: string;
}

async function find(text: string, conditions: SearchConditions, asked: Asked): Promise<DialectAnswer> {
  const { request, trawl } = asked;
  const { query, warning } = withOperators(text, conditions);
  const contents = contentsOf(conditions);
  const ask = askOf(contents, asked.passages);
  const kind = kindOf(conditions.category);
  const domains = readDomains(conditions.includeDomains, conditions.excludeDomains);
  const { userLocation } = conditions;
  const found = await trawl.call('search', {
    body: {
      query,
      limit: conditions.numResults,
      ...{ sources: kind.sources, categories: kind.categories },
      ...domains.conditions,
      tbs: tbsBetween(conditions.startPublishedDate, conditions.endPublishedDate),
      country: typeof userLocation === 'object' ? userLocation.country : userLocation,
      safe: conditions.moderation || undefined,
      scrapeOptions: ask.options,
    },
  });
  const results = rowsOf(found.data)
    .filter(({ url }) => !domains.isExcluded(url))
    .map((row, rank) => resultOf(row, rank, pageFields(row, contents, ask.passages)));
  return {
    body: {
      ...{ requestId: request.id, resolvedSearchType: 'auto', results },
      ...(contents.context ? { context: results.map(asContext).join('\n\n') } : {}),
      costDollars: { total: 0 },
    },
    warnings: [found.warning, warning, domains.warning, kind.warning, ...ask.warnings],
  };
}

const quoted = (words: string): string => `"${words.replaceAll('"', ' ').trim()}"`;

const LEAST_QUERY = 100;

/** Only the text is cut: without the operators, other pages would be found. */
function withOperators(text: string, { includeText, excludeText }: SearchConditions): CutQuery {
  const operators = [...includeText.map(quoted), ...excludeText.map((words) => `-${quoted(words)}`)].join(' ');
  const room = MAX_QUERY_LENGTH - operators.length - 1;
  if (room < LEAST_QUERY)
    throw new ServiceError('BAD_REQUEST', { message: '`includeText` and `excludeText` are too long. Shorten them.' });
  const { query, ...cut } = cutQuery(text, room);
  return { query: `${query} ${operators}`.trim(), ...cut };
}

interface Kind {
  sources: string[];
  categories: string[];
  warning?: string;
}

const CATEGORIES: ReadonlyMap<string, string> = new Map([
  ['research paper', 'research'],
  ['publication', 'research'],
  ['pdf', 'pdf'],
  ['github', 'github'],
]);

function kindOf(category: string | undefined): Kind {
  const web: Kind = { sources: ['web'], categories: [] };
  if (category === undefined) return web;
  if (category === 'news') return { sources: ['news'], categories: [] };
  const known = CATEGORIES.get(category);
  return known === undefined
    ? { ...web, warning: `The category '${category}' is not served here and was ignored.` }
    : { ...web, categories: [known] };
}

type Found = ResponseOf<'search'>['data'];
type Row = NonNullable<Found['web']>[number] & { date?: string };

const rowsOf = ({ web = [], news = [] }: Found): Row[] => [
  ...web,
  ...news.map(({ snippet, ...row }) => ({ ...row, description: snippet })),
];

interface Result {
  id: string;
  url: string;
  title: string;
  score: number;
  [field: string]: unknown;
}

/** `id` is the URL, by which the contents are read. */
function resultOf({ url, title, date }: Row, rank: number, page: Record<string, unknown>): Result {
  const published = page.publishedDate ?? readTime(date)?.toISOString() ?? null;
  return { id: url, url, title, score: scoreOfRank(rank), ...page, publishedDate: published };
}

const asContext = ({ title, url, text, highlights }: Result): string =>
  [`# ${title}`, url, text ?? (Array.isArray(highlights) ? highlights.join('\n') : '')].join('\n');

const CITED = 5;

/** The first of the results that answers the question, with all of them as citations. */
export async function answer(request: DialectRequest, trawl: Trawl): Promise<DialectAnswer> {
  const { query: question, text: isText, stream } = validate(answerFields, sentFields(request));
  if (stream) throw new ServiceError('NOT_IMPLEMENTED', { message: NO_STREAM });
  const { query, warning } = cutQuery(question);
  const scrapeOptions = { formats: isText ? ['markdown'] : [] };
  const found = await trawl.call('search', { body: { query, limit: CITED, scrapeOptions } });
  const rows = rowsOf(found.data);
  const asked = await askPages(
    query,
    rows.map(({ url }) => url),
    trawl,
  );
  const source = asked.source?.url;
  const contents = { text: isText };
  const citations = rows
    .toSorted((a, b) => Number(b.url === source) - Number(a.url === source))
    .map((row) => ({ id: row.url, url: row.url, title: row.title, ...pageFields(row, contents, undefined) }));
  return {
    body: { requestId: request.id, answer: asked.answer ?? '', citations, costDollars: { total: 0 } },
    warnings: [found.warning, warning, asked.warning, asked.answer === null ? NO_ANSWER : undefined],
  };
}

const NO_ANSWER = 'None of the pages that were read states an answer.';

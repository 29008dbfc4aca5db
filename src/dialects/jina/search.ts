// The search: results with the text of their pages.
import { z } from 'zod';
import type { ResponseOf } from '../../contracts/route-types.ts';
import { MAX_SEARCH_LIMIT } from '../../contracts/search/search.ts';
import { validate } from '../../contracts/validate/validate.ts';
import type { DialectAnswer, DialectRequest, Trawl } from '../dialect.ts';
import { cutQuery } from '../shared/cut-query.ts';
import { sentFields } from '../shared/sent-fields.ts';
import { pageOf, type ReaderPage } from './page.ts';
import { nothingFound } from './problems.ts';
import { type ReaderOptions, readOptions, requireOnePart } from './reader-fields.ts';
import { scrapeOptionsOf } from './scrape-options.ts';
import { shapeOf, writeData, writeText } from './write-answer.ts';

const MAX_QUERY = 20_000;
const MAX_COUNT = 20;
const DEFAULT_COUNT = 10;
const MAX_SITES = 50;
const LISTED = new Set(['site', 'filetype', 'ext', 'intitle']);

const text = z.union([z.string(), z.number()]).transform(String).pipe(z.string().max(MAX_QUERY));
const texts = z.union([text.transform((one) => [one]), z.array(text).max(MAX_SITES)]);

export const searchFields = z.object({
  q: text.optional().describe('What to search for; also behind the path.'),
  num: z.coerce
    .number()
    .int()
    .min(0)
    .max(MAX_COUNT)
    .optional()
    .describe(`Number of results; ${DEFAULT_COUNT} by default.`),
  count: z.coerce.number().int().min(0).max(MAX_COUNT).optional().describe('The same as `num`.'),
  page: z.coerce.number().int().min(1).max(100).default(1),
  type: z.enum(['web', 'news', 'images']).default('web'),
  gl: text.optional().describe('Country.'),
  hl: text.optional().describe('Language.'),
  location: text.optional(),
  site: texts.optional().describe('Only results of these hosts; also as header `X-Site`.'),
  filetype: texts.optional(),
  ext: texts.optional(),
  intitle: texts.optional(),
});

type Found = ResponseOf<'search'>['data'];
type Row = Partial<ReaderPage> & Pick<ReaderPage, 'title' | 'url' | 'description'> & { date?: string };

export async function search(request: DialectRequest, trawl: Trawl): Promise<DialectAnswer> {
  const options = readOptions(request);
  const shape = shapeOf(request);
  if (shape === 'text') requireOnePart(options);
  const asked = readSearch(request);
  const { scrapeOptions, type, skip, limit, warning, ...conditions } = {
    ...asked,
    scrapeOptions: scrapeOptionsOf(options),
  };
  const isRead = !options.parts.includes('no-content') && type !== 'images';
  const found =
    skip >= MAX_SEARCH_LIMIT
      ? undefined
      : await trawl.call('search', {
          body: {
            ...conditions,
            limit,
            sources: [type],
            ...(isRead && { scrapeOptions }),
            timeout: scrapeOptions.timeout,
          },
        });
  const rows = await Promise.all(rowsOf(pageOfResults(found?.data ?? {}, skip, limit), isRead, options));
  const warnings = [options.warning, warning, found?.warning];
  if (rows.length === 0) return { ...nothingFound('No search results available for query'), warnings };
  const tokens = rows.reduce((sum, { usage }) => sum + (usage?.tokens ?? 0), 0);
  return shape === 'text'
    ? writeText(textOf(rows), { tokens, warnings })
    : writeData(rows, { shape, tokens, warnings });
}

function readSearch(request: DialectRequest) {
  const fields = validate(searchFields, { ...withHeaders(request), ...sentFields(request), ...listsIn(request) });
  const { num, count, page, type, gl, hl, location, site = [] } = fields;
  const types = [...(fields.filetype ?? []), ...(fields.ext ?? [])].map((each) => `filetype:${each}`);
  const titles = (fields.intitle ?? []).map((each) => `intitle:"${each.replaceAll('"', '')}"`);
  const size = (num ?? count) || DEFAULT_COUNT;
  const sent = fields.q ?? request.params.q ?? '';
  return {
    ...cutQuery([sent, ...types, ...titles].join(' ')),
    ...{ type, skip: (page - 1) * size, limit: Math.min(page * size, MAX_SEARCH_LIMIT) },
    ...{ country: gl, lang: hl, location },
    ...(site.length > 0 && { includeDomains: site.map(hostOf) }),
  };
}

/** Those that may be repeated in the query string. */
const listsIn = ({ query }: Pick<DialectRequest, 'query'>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(query).filter(([name, value]) => LISTED.has(name) && Array.isArray(value)));

/** Conditions may also be headers, as in `X-Site`. */
const withHeaders = ({ header }: Pick<DialectRequest, 'header'>): Record<string, string> =>
  Object.fromEntries(
    ['site', 'filetype', 'ext', 'intitle', 'type', 'num', 'count', 'page', 'gl', 'hl', 'location'].flatMap((name) => {
      const value = header(`x-${name}`);
      return value ? [[name, value]] : [];
    }),
  );

const hostOf = (site: string): string => URL.parse(site.includes('://') ? site : `http://${site}`)?.hostname ?? site;

const pageOfResults = ({ web, news, images }: Found, skip: number, limit: number): Found => ({
  ...{ web: web?.slice(skip, limit), news: news?.slice(skip, limit), images: images?.slice(skip, limit) },
});

function rowsOf(
  { web = [], news = [], images = [] }: Found,
  isRead: boolean,
  options: ReaderOptions,
): (Row | Promise<Row>)[] {
  const row = async (found: NonNullable<Found['web']>[number] | NonNullable<Found['news']>[number]): Promise<Row> => {
    const { title, url } = found;
    const description = 'snippet' in found ? found.snippet : found.description;
    const date = 'date' in found ? found.date : undefined;
    const known = { title, url, description, ...(date !== undefined && { date }) };
    if (!isRead) return { ...known, content: '', usage: { tokens: 0 } };
    return { ...(await pageOf(url, found, options)), ...known };
  };
  return [
    ...web.map(row),
    ...news.map(row),
    ...images.map(({ title, url, imageUrl, imageWidth, imageHeight }) => ({
      ...{ title, url, description: '', content: '', imageUrl, imageWidth, imageHeight, usage: { tokens: 0 } },
    })),
  ];
}

const textOf = (rows: readonly Row[]): string =>
  `${rows
    .map(({ title, url, description, date, content, text, html }, at) => {
      const mark = `[${at + 1}]`;
      const facts = [`${mark} Title: ${title}`, `${mark} URL Source: ${url}`, `${mark} Description: ${description}`];
      if (date !== undefined) facts.push(`${mark} Date: ${date}`);
      const body = content ?? text ?? html ?? '';
      return [facts.join('\n'), ...(body === '' ? [] : [body])].join('\n\n');
    })
    .join('\n\n')}\n`;

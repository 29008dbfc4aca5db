// Single pages, maps, searches and extractions of v1.
import type { ResponseOf } from '../../contracts/route-types.ts';
import { validate } from '../../contracts/validate/validate.ts';
import type { DialectAnswer, DialectRequest, Trawl } from '../dialect.ts';
import { cutQuery } from '../shared/cut-query.ts';
import { objectOf } from '../shared/sent-fields.ts';
import { searchFields } from './fields.ts';
import { asksFor, readScrapeOptions, withScheme } from './scrape-options.ts';

export async function scrape({ body }: DialectRequest, trawl: Trawl): Promise<DialectAnswer> {
  const { url, ...given } = objectOf(body);
  const { options, isExtract, warning } = readScrapeOptions(given);
  const asked = { body: { ...options, url: withScheme(url) } };
  if (!isExtract) return { body: await trawl.text('scrape', asked), warnings: [warning] };
  const { data, ...answer } = await trawl.call('scrape', asked);
  const { json, ...page } = data;
  return { body: { ...answer, data: { ...page, ...(json !== undefined && { extract: json }) } }, warnings: [warning] };
}

export async function map({ body }: DialectRequest, trawl: Trawl): Promise<DialectAnswer> {
  const { url, ignoreSitemap, sitemapOnly, ...given } = objectOf(body);
  const sitemap = sitemapOnly === true ? 'only' : ignoreSitemap === true ? 'skip' : 'include';
  const { links, warning } = await trawl.call('map', { body: { ...given, url: withScheme(url), sitemap } });
  return { body: { success: true, links: links.map((link) => link.url) }, warnings: [warning] };
}

type Found = ResponseOf<'search'>['data'];
type Row = Record<string, unknown> & { markdown?: string };

const NOTHING = 'No search results found';

export async function search({ body }: DialectRequest, trawl: Trawl): Promise<DialectAnswer> {
  const { query: sentQuery, limit, sources, scrapeOptions, ...given } = validate(searchFields, body);
  const { query, warning: cut } = cutQuery(sentQuery);
  const sent = objectOf(scrapeOptions);
  const { options, isExtract, warning } = readScrapeOptions(sent, []);
  const found = await trawl.call('search', {
    body: { ...given, query, limit, ...(sources && { sources }), scrapeOptions: options },
  });
  const rows = rowsOf(found.data).map((row) => (isExtract ? withExtract(row) : row));
  const read = rows.filter(({ markdown }) => markdown);
  // As long as one of them could be read, the others are no results.
  const data = asksFor(sent.formats, 'markdown') && read.length > 0 ? read : rows;
  const notes = [found.warning, cut, warning].filter((note) => note !== undefined);
  if (data.length === 0) notes.unshift(NOTHING);
  return { body: { success: true, data, ...(notes.length > 0 && { warning: notes.join(' ') }) } };
}

const rowsOf = ({ web = [], news = [], images = [] }: Found): Row[] => [
  ...(web as Row[]),
  ...news.map(({ snippet, ...row }): Row => ({ ...(row as Row), description: snippet, category: 'news' })),
  ...images.map(({ imageUrl, url, title, ...row }): Row => {
    return { ...row, url: imageUrl, title, description: '', sourceURL: url, category: 'images' };
  }),
];

function withExtract({ json, ...row }: Row): Row {
  return json === undefined ? row : { ...row, extract: json };
}

export async function startExtract({ body }: DialectRequest, trawl: Trawl): Promise<DialectAnswer> {
  const { scrapeOptions, urls, ...given } = objectOf(body);
  const { options } = readScrapeOptions(objectOf(scrapeOptions));
  const { id, urlTrace, invalidURLs } = await trawl.call('extract', {
    body: {
      ...given,
      ...(urls !== undefined && { urls: Array.isArray(urls) ? urls.map(withScheme) : urls }),
      ...(scrapeOptions !== undefined && scrapeOptions !== null && { scrapeOptions: options }),
    },
  });
  return { body: { success: true, id, urlTrace, ...(invalidURLs && { invalidURLs }) } };
}

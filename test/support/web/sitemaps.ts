// Sites with sitemaps and feeds: ordinary, huge, and made to keep a reader busy.
import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';
import { type Exchange, type Handler, page, reply, type Site, send } from './reply.ts';

const XML = { type: 'application/xml' };
const PLAIN = { type: 'text/plain' };
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

const anyPage: Handler = (exchange) => send(exchange, page(`Page ${exchange.path} of ${exchange.host}`));

/** The addresses of the site, in the order of its sitemaps: `/catalogue/1` to `/catalogue/COUNT`. */
export const sitemapPaths = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `/${name}/${index + 1}`);

export const urlset = (urls: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset ${NAMESPACE}>\n${urls
    .map((url) => `<url><loc>${url}</loc><lastmod>2026-01-15</lastmod></url>\n`)
    .join('')}</urlset>\n`;

export const sitemapIndex = (urls: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex ${NAMESPACE}>\n${urls
    .map((url) => `<sitemap><loc>${url}</loc></sitemap>\n`)
    .join('')}</sitemapindex>\n`;

const here = ({ origin, host }: Exchange, paths: readonly string[]) => paths.map((path) => origin(host) + path);

const declares =
  (path: string): Handler =>
  (exchange) =>
    send(exchange, `User-agent: *\nDisallow:\n\nSitemap: ${here(exchange, [path])[0]}\n`, PLAIN);

const indexOf =
  (...paths: string[]): Handler =>
  (exchange) =>
    send(exchange, sitemapIndex(here(exchange, paths)), XML);

const indexSite: Site = {
  '/robots.txt': declares('/maps/index.xml'),
  '/maps/index.xml': indexOf('/maps/articles.xml', '/maps/products.xml.gz', '/maps/notes.txt'),
  '/maps/articles.xml': (exchange) => send(exchange, urlset(here(exchange, sitemapPaths('article', 3))), XML),
  // A gzip file, not a Content-Encoding.
  '/maps/products.xml.gz': (exchange) =>
    send(exchange, gzipSync(urlset(here(exchange, sitemapPaths('product', 3)))), { type: 'application/gzip' }),
  '/maps/notes.txt': (exchange) => send(exchange, `${here(exchange, sitemapPaths('note', 3)).join('\r\n')}\r\n`, PLAIN),
  '/*': anyPage,
};

const loopSite: Site = {
  '/robots.txt': declares('/sitemap.xml'),
  '/sitemap.xml': indexOf('/sitemap.xml', '/again', '/pages.xml'),
  '/again': (exchange) => send(exchange, '', { status: 301, headers: { location: '/sitemap.xml' } }),
  '/pages.xml': (exchange) => send(exchange, urlset(here(exchange, sitemapPaths('page', 2))), XML),
  '/*': anyPage,
};

/** A valid start, then far too many elements, at a compression ratio of several hundred. */
const bomb = () =>
  promisify(gzip)(urlset(['http://sitemap-bomb.test/first']).replace('</urlset>', '<x/>'.repeat(15 * 1024 * 1024)));

const rss = (urls: readonly string[]) =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><link>${urls[0]}</link>${urls
    .map(
      (url, index) =>
        `<item><title>Story ${index + 1} &amp; more</title><link>${url}</link><pubDate>Thu, 15 Jan 2026 08:30:00 GMT</pubDate></item>`,
    )
    .join('')}</channel></rss>`;

const atom = (urls: readonly string[]) =>
  `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><link rel="self" href="/atom.xml"/>${urls
    .map(
      (url, index) =>
        `<entry><title>Note ${index + 1}</title><link rel="edit" href="/edit"/><link href="${url}"/><updated>2026-01-15T08:30:00Z</updated></entry>`,
    )
    .join('')}</feed>`;

const feedSite: Site = {
  '/robots.txt': (exchange) =>
    send(exchange, `User-agent: *\nSitemap: ${exchange.origin('feed.test')}/rss.xml\nSitemap: /atom.xml\n`, PLAIN),
  '/rss.xml': (exchange) =>
    send(exchange, rss(here(exchange, sitemapPaths('story', 3))), { type: 'application/rss+xml' }),
  '/atom.xml': (exchange) => send(exchange, atom(sitemapPaths('note', 2)), { type: 'application/atom+xml' }),
  '/*': anyPage,
};

export const sitemaps: Record<string, Site> = {
  'sitemap-index.test': indexSite,
  'sitemap-plain.test': {
    '/sitemap.xml': (exchange) => send(exchange, urlset(here(exchange, sitemapPaths('page', 4))), XML),
    '/page/*': anyPage,
    '/': anyPage,
  },
  'sitemap-huge.test': {
    '/sitemap.xml': (exchange) => send(exchange, urlset(here(exchange, sitemapPaths('page', 60_000))), XML),
    '/page/*': anyPage,
    '/': anyPage,
  },
  'sitemap-bomb.test': {
    '/robots.txt': declares('/sitemap.xml.gz'),
    '/sitemap.xml.gz': reply(bomb, { type: 'application/gzip' }),
    '/first': anyPage,
    '/': anyPage,
  },
  'sitemap-loop.test': loopSite,
  'feed.test': feedSite,
};

// How far a crawl goes. depth.test: a chain, subdomains, other sites. mapped.test: links and a sitemap that differ.
// flawed.test: every other page fails. silent.test accepts every request and answers none.
import { once } from 'node:events';
import { textOf } from './crawl-text.ts';
import { png } from './files.ts';
import { type Exchange, type Handler, page, reply, type Site, send } from './reply.ts';
import { sitemapPaths, urlset } from './sitemaps.ts';

const CHAIN = 10;

const pageOf = (exchange: Exchange, links: readonly string[] = []) =>
  send(
    exchange,
    page(
      `${exchange.host}${exchange.path}`,
      textOf(exchange.host + exchange.path) + links.map((address) => `<a href="${address}">${address}</a>`).join(' '),
    ),
  );

const withLinks =
  (...links: string[]): Handler =>
  (exchange) =>
    pageOf(exchange, links);

const movedTo =
  (host: string, path: string): Handler =>
  (exchange) =>
    send(exchange, '', { status: 301, headers: { location: exchange.origin(host) + path } });

const depthSite: Site = {
  '/': (exchange) => {
    const { origin } = exchange;
    pageOf(exchange, [
      '/1',
      `${origin('a.depth.test')}/`,
      `${origin('b.depth.test')}/deep/page`,
      `${origin('outside.test')}/page`,
      `${origin('outside.test')}/`,
    ]);
  },
  ...Object.fromEntries(
    Array.from({ length: CHAIN }, (_, index) => [
      `/${index + 1}`,
      index + 1 < CHAIN ? withLinks(`/${index + 2}`) : withLinks(),
    ]),
  ),
};

const listed = sitemapPaths('listed', 3);

const mappedSite: Site = {
  '/': withLinks('/linked/1', '/linked/2'),
  '/listed/*': withLinks('/linked/3'),
  '/linked/*': withLinks(),
  '/sitemap.xml': (exchange) =>
    send(exchange, urlset(listed.map((path) => exchange.origin(exchange.host) + path)), { type: 'application/xml' }),
};

const flaws = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? `/picture/${index}` : `/text/${index}`));

export const crawlReach: Record<string, Site> = {
  'depth.test': depthSite,
  'a.depth.test': { '/': withLinks('/more'), '/more': withLinks() },
  'b.depth.test': { '/': withLinks(), '/deep/page': withLinks('/other') },
  'outside.test': { '/': withLinks('/page'), '/page': withLinks('/further'), '/further': withLinks() },
  'mapped.test': mappedSite,
  'flawed.test': {
    '/': withLinks(...flaws),
    '/text/*': withLinks(),
    '/picture/*': reply(() => png(8, 8), { type: 'image/png' }),
  },
  // Redirects to hosts with a different robots.txt.
  'moved.test': {
    '/robots.txt': reply('User-agent: *\nDisallow: /blog/river\n', { type: 'text/plain' }),
    '/': movedTo('docs.test', '/blog'),
    '/mapped': movedTo('mapped.test', '/'),
  },
  'silent.test': {
    '/*': async ({ signal }) => {
      if (!signal.aborted) await once(signal, 'abort');
    },
  },
};

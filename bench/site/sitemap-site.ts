// A site whose robots.txt names an index of three sitemaps, which list all its URLs.
import { page, reply, type Site, send } from '../../test/support/web/reply.ts';
import { sitemapIndex, urlset } from '../../test/support/web/sitemaps.ts';

const FILES = 3;
const SECTIONS = 100;
const XML = { type: 'application/xml' };

export function mappedSite(size: number): Site {
  const perFile = Math.ceil(size / FILES);
  const files = new Map<string, Buffer>();

  const urlsOf = (origin: string, nth: number): string[] => {
    const first = nth * perFile;
    return Array.from({ length: Math.min(perFile, size - first) }, (_, n) => {
      const number = first + n;
      return `${origin}/section-${number % SECTIONS}/item-${number}`;
    });
  };

  /** Generated on first request, because the origin is not known earlier. */
  const file = (origin: string, nth: number): Buffer => {
    const name = `${origin} ${nth}`;
    const content = files.get(name) ?? Buffer.from(urlset(urlsOf(origin, nth)));
    files.set(name, content);
    return content;
  };

  return {
    '/': reply(page('A large site', '<p>All there is stands in the sitemaps.</p>')),
    '/robots.txt': (exchange) =>
      send(exchange, `User-agent: *\nDisallow:\nSitemap: ${exchange.origin(exchange.host)}/sitemap-index.xml\n`, {
        type: 'text/plain',
      }),
    '/sitemap-index.xml': (exchange) => {
      const origin = exchange.origin(exchange.host);
      const urls = Array.from({ length: FILES }, (_, nth) => `${origin}/sitemaps/${nth}`);
      send(exchange, sitemapIndex(urls), XML);
    },
    '/sitemaps/*': (exchange) => send(exchange, file(exchange.origin(exchange.host), Number(exchange.tail)), XML),
  };
}

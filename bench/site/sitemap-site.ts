// A site whose robots.txt names an index of three sitemaps, which list all its addresses.
import { page, reply, type Site, send } from '../../test/support/web/reply.ts';
import { sitemapIndex, urlset } from '../../test/support/web/sitemaps.ts';

const FILES = 3;
const SECTIONS = 100;
const XML = { type: 'application/xml' };

export function mappedSite(size: number): Site {
  const perFile = Math.ceil(size / FILES);
  const made = new Map<string, Buffer>();

  const urlsOf = (origin: string, nth: number): string[] => {
    const first = nth * perFile;
    return Array.from({ length: Math.min(perFile, size - first) }, (_, n) => {
      const number = first + n;
      return `${origin}/section-${number % SECTIONS}/item-${number}`;
    });
  };

  /** Made when it is first asked for, because only then the origin is known. */
  const file = (origin: string, nth: number): Buffer => {
    const name = `${origin} ${nth}`;
    const content = made.get(name) ?? Buffer.from(urlset(urlsOf(origin, nth)));
    made.set(name, content);
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
      const files = Array.from({ length: FILES }, (_, nth) => `${origin}/sitemaps/${nth}`);
      send(exchange, sitemapIndex(files), XML);
    },
    '/sitemaps/*': (exchange) => send(exchange, file(exchange.origin(exchange.host), Number(exchange.tail)), XML),
  };
}

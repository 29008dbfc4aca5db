// Sites whose robots.txt, links and sitemaps are made to be expensive to compare.
import { type Site, send } from '../../test/support/web/reply.ts';
import { tangle } from '../hostile/tangle.ts';

const LINES = 200;
const SITEMAP_URLS = 50_000;
/** Near the size at which robots.txt is cut. */
const RULES = 15_000;

const plain = (text: string) => (exchange: Parameters<Site[string]>[0]) => send(exchange, text, { type: 'text/plain' });

const pageOf = (links: string[]): string =>
  `<!doctype html><title>Links</title><main><p>${'Some words about nothing. '.repeat(40)}</p>${links
    .map((link) => `<a href="${link}">x</a>`)
    .join('\n')}</main>`;

function listed(paths: string[]): Site[string] {
  return (exchange) => {
    const origin = exchange.origin(exchange.host);
    const urls = paths.map((path) => `<url><loc>${origin}${path}</loc></url>`).join('');
    const xml = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset>`;
    send(exchange, xml, { type: 'application/xml' });
  };
}

const many = <T>(length: number, make: (index: number) => T): T[] => Array.from({ length }, (_, index) => make(index));

/** `links` is the number of links of a page. */
export function hostileSites(links: number): Record<string, Site> {
  const wildcards = many(LINES, (line) => `Disallow: /${'*a*b'.repeat(5)}*bababa${line}`).join('\n');
  const rules = many(RULES, (line) => `Disallow: /${line}/*a*${line}$`).join('\n');
  const tangled = many(links / 5, (index) => `/${tangle(1_900, index + 1)}`);
  return {
    'robots.test': {
      '/robots.txt': plain(`User-agent: *\n${wildcards}`),
      '/': (exchange) => send(exchange, pageOf(many(links, (index) => `/${index}/${'ab'.repeat(700)}`))),
      '/*': (exchange) => send(exchange, pageOf([])),
    },
    'rules.test': {
      '/robots.txt': plain(`User-agent: *\n${rules}`),
      '/': (exchange) => send(exchange, pageOf(many(links, (index) => `/${index}/a`))),
      '/*': (exchange) => send(exchange, pageOf([])),
    },
    'links.test': {
      '/': (exchange) => send(exchange, pageOf(tangled)),
      '/*': (exchange) => send(exchange, pageOf(tangled)),
    },
    'sitemap.test': {
      '/': (exchange) => send(exchange, pageOf([])),
      '/sitemap.xml': listed(many(SITEMAP_URLS, (index) => `/${index}-${tangle(200, index + 1)}`)),
    },
  };
}

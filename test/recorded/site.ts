// The site whose pages the recorded requests read. Its links are relative, so no page has a port in it.
import { once } from 'node:events';
import type { CataloguePaper, CatalogueRepo } from '../support/search/catalogues.ts';
import { page, reply, type Site, send } from '../support/web/reply.ts';

const LEVER = {
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: 'Lever',
  sku: 'L-1',
  description: 'A lever of oak.',
  brand: { '@type': 'Brand', name: 'Acme' },
  offers: { '@type': 'Offer', price: '19.90', priceCurrency: 'EUR', availability: 'https://schema.org/InStock' },
};
const MENU = {
  '@context': 'https://schema.org',
  '@type': 'Restaurant',
  name: 'The Anchor',
  hasMenu: {
    '@type': 'Menu',
    hasMenuSection: [
      {
        '@type': 'MenuSection',
        name: 'Soups',
        hasMenuItem: [
          { '@type': 'MenuItem', name: 'Fish soup', offers: { '@type': 'Offer', price: '7.50', priceCurrency: 'EUR' } },
        ],
      },
    ],
  },
};
const data = (value: object): string => `<script type="application/ld+json">${JSON.stringify(value)}</script>`;

const ARTICLE = page(
  'The lighthouse of Harbour Bay',
  `<main><p>The lighthouse of Harbour Bay was built in 1871 by Ada Writer. It is 42 metres high.</p>
<h2>Its lamp</h2><p>The lamp burns oil, and is seen from 20 miles away. <a href="/keeper">The keeper</a> lights it.</p>
<p><img src="/lamp.png" alt="The lamp"> Write to keeper@harbour.example for a visit.</p>
<ul><li>Height: 42 m</li><li>Steps: 199</li></ul></main>`,
  '<meta name="description" content="A lighthouse."><meta property="article:published_time" content="2020-02-03T04:05:06Z">',
);

export const RECORDED_SITE: Site = {
  '/': reply(
    page(
      'Harbour Bay',
      '<p>A small town by the sea.</p><a href="/article">Lighthouse</a> <a href="/keeper">Keeper</a>',
    ),
  ),
  '/article': reply(ARTICLE),
  '/keeper': reply(
    page('The keeper', '<p>The keeper of the lighthouse is called Lin Wei, and lives on the first floor.</p>'),
  ),
  '/product': reply(page('Lever', '<p>A lever of oak for 19.90 EUR.</p>', data(LEVER))),
  '/menu': reply(page('The Anchor', '<p>Soups: fish soup for 7.50 EUR.</p>', data(MENU))),
  // Another text each time.
  '/tide': (exchange) => send(exchange, page('The tide', `<p>The tide table number ${exchange.visit} of the bay.</p>`)),
  '/missing': reply(page('Not found', '<p>There is no such page.</p>'), { status: 404 }),
  '/stalled/*': async ({ signal }) => {
    if (!signal.aborted) await once(signal, 'abort');
  },
  '/robots.txt': reply('User-agent: *\nDisallow: /private\nSitemap: /sitemap.xml\n', { type: 'text/plain' }),
};

export const PAPERS: CataloguePaper[] = [
  {
    title: 'Lighthouses and the safety of harbours',
    abstract: 'We count the ships that a lighthouse saves.',
    authors: [['Ada', 'Fisher']],
    date: '2017-06-12',
    arxiv: '1706.03762',
    openalex: 'W101',
    related: ['W102'],
    in: ['arxiv', 'openalex'],
  },
  {
    title: 'The lamps of harbours',
    abstract: 'Lamps of lighthouses, from oil to light-emitting diodes.',
    authors: [['Lin', 'Wei']],
    date: '2020-02-03',
    openalex: 'W102',
    in: ['openalex'],
  },
];

export const REPOS: CatalogueRepo[] = [
  {
    full_name: 'acme/lamp',
    description: 'Drives a lamp',
    readme: '# lamp\n\nA lighthouse turns its lamp with this program.',
    license: 'MIT',
    stars: 500,
    issues: [{ number: 7, title: 'The lighthouse goes dark', body: 'The lamp stops after a minute.' }],
  },
];

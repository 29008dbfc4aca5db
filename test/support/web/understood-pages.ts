// A small shop with a restaurant: pages that every format which needs understanding finds something on.
import { reply, type Site } from './reply.ts';

const json = (value: object) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`;
const page = (title: string, head: string, body: string) =>
  reply(`<!doctype html><html lang="en"><head><title>${title}</title><meta property="og:site_name" content="Copper Kettle">${head}
  <style>body{margin:0;background:#fffaf5;color:#222;font:16px/1.5 Georgia,serif}header{background:#8a3b12;padding:16px}
  .buy{background:#8a3b12;color:#fff;border:0;border-radius:6px;padding:12px 24px}</style></head>
  <body><header><a href="/"><img class="logo" src="/logo.png" alt="Copper Kettle" width="90" height="30"></a></header><main>${body}</main></body></html>`);

export const understoodSite: Site = {
  '/': page(
    'Copper Kettle',
    '',
    `<h1>Copper Kettle</h1><p>We have made kettles by hand since 1904. The workshop is in a street behind the harbour.</p>
    <p>Visitors may watch us on Fridays. Children are welcome, and entry is free.</p>
    <ul><li><a href="/kettle">The kettle</a></li><li><a href="/menu">Our kitchen</a></li></ul><button class="buy">Visit us</button>`,
  ),
  '/kettle': page(
    'Harbour kettle - Copper Kettle',
    json({
      '@context': 'https://schema.org',
      '@type': 'Product',
      name: 'Harbour kettle',
      brand: { '@type': 'Brand', name: 'Copper Kettle' },
      description: 'A copper kettle for two litres.',
      sku: 'HK-2',
      offers: {
        '@type': 'Offer',
        price: '129.00',
        priceCurrency: 'EUR',
        availability: 'https://schema.org/InStock',
      },
    }),
    `<h1>Harbour kettle</h1><p>A copper kettle that holds two litres of water. It weighs 900 grams and fits every stove.</p>
    <p>Price: €129.00. In stock.</p><button class="buy">Add to basket</button>`,
  ),
  '/menu': page(
    'Our kitchen - Copper Kettle',
    json({
      '@context': 'https://schema.org',
      '@type': 'Restaurant',
      name: 'Copper Kettle Kitchen',
      hasMenu: {
        '@type': 'Menu',
        hasMenuSection: [
          {
            '@type': 'MenuSection',
            name: 'Soups',
            hasMenuItem: [
              {
                '@type': 'MenuItem',
                name: 'Fish soup',
                description: 'With bread.',
                offers: { '@type': 'Offer', price: '8.50', priceCurrency: 'EUR' },
              },
            ],
          },
        ],
      },
    }),
    `<h1>Our kitchen</h1><p>We cook at noon, every day but Monday.</p><h2>Soups</h2><p>Fish soup, with bread. €8.50</p>`,
  ),
  '/logo.png': reply('', { type: 'image/png' }),
};

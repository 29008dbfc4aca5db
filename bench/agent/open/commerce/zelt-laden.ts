// A German outdoor shop: microdata on product pages, a category over two pages, related products, a cookie notice.
import { each } from '../../../understand/labelled-page.ts';
import { integer, listOf, number, object, taskTemplate, text } from '../../task.ts';

const HOST = 'bergkamm-ausruestung.test';
const TENTS = [
  { slug: 'nordkap-2', name: 'Nordkap 2', sku: 'BK-40211', price: '389,00', weight: '2,4 kg', people: 2, stock: true },
  { slug: 'nordkap-3', name: 'Nordkap 3', sku: 'BK-40212', price: '459,00', weight: '3,1 kg', people: 3, stock: true },
  {
    slug: 'fjellstue-4',
    name: 'Fjellstue 4',
    sku: 'BK-40377',
    price: '1.249,00',
    weight: '6,8 kg',
    people: 4,
    stock: false,
  },
  { slug: 'solo-trek', name: 'Solo Trek', sku: 'BK-40105', price: '279,50', weight: '1,2 kg', people: 1, stock: true },
  {
    slug: 'biwak-light',
    name: 'Biwak Light',
    sku: 'BK-40098',
    price: '149,90',
    weight: '0,8 kg',
    people: 1,
    stock: true,
  },
];
type Tent = (typeof TENTS)[number];

const layout = (title: string, main: string): string => `<!doctype html><html lang="de"><head><meta charset="utf-8">
<title>${title} – Bergkamm Ausrüstung</title><link rel="stylesheet" href="/assets/shop.css"></head><body>
<div class="topbar">Versandkostenfrei ab 75,00 € · 30 Tage Rückgabe · Hotline 0761 555 0142</div>
<header><a class="logo" href="/">Bergkamm</a><nav><ul><li><a href="/zelte">Zelte</a></li><li><a href="/rucksaecke">Rucksäcke</a></li><li><a href="/sale">Sale %</a></li><li><a href="/versand">Versand</a></li></ul></nav><a href="/warenkorb">Warenkorb (0)</a></header>
<main>${main}</main>
<footer><p>Bergkamm Ausrüstung GmbH, Dreisamstraße 8, 79098 Freiburg</p><ul><li><a href="/impressum">Impressum</a></li><li><a href="/datenschutz">Datenschutz</a></li><li><a href="/agb">AGB</a></li></ul><p>Alle Preise inkl. MwSt.</p></footer>
<div id="cookie">Wir verwenden Cookies, um Ihr Einkaufserlebnis zu verbessern. <button>Alle akzeptieren</button> <button>Nur notwendige</button></div></body></html>`;

const card = (tent: Tent): string =>
  `<li class="produkt"><a href="/zelte/${tent.slug}"><img src="/img/${tent.slug}.jpg" alt=""><h3>${tent.name}</h3></a><span class="preis">${tent.price} €</span><span class="personen">${tent.people} Pers.</span></li>`;

const category = (tents: Tent[], at: number): string =>
  layout(
    `Zelte, Seite ${at}`,
    `<h1>Zelte</h1><p>5 Artikel</p><ul class="produkte">${each(tents, card)}</ul><div class="seiten">${at === 1 ? '<strong>1</strong> <a href="/zelte?seite=2" rel="next">2</a>' : '<a href="/zelte" rel="prev">1</a> <strong>2</strong>'}</div>
<section><h2>Zuletzt angesehen</h2><ul><li><a href="/rucksaecke/gipfel-30">Gipfel 30</a> 119,00 €</li></ul></section>`,
  );

const product = (tent: Tent): string =>
  layout(
    tent.name,
    `<nav class="pfad"><a href="/">Start</a> › <a href="/zelte">Zelte</a> › ${tent.name}</nav>
<article itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">${tent.name}</h1><p>Artikelnummer: <span itemprop="sku">${tent.sku}</span></p>
<div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><span itemprop="price" content="${tent.price.replace('.', '').replace(',', '.')}">${tent.price}</span> <span itemprop="priceCurrency" content="EUR">€</span>
<link itemprop="availability" href="https://schema.org/${tent.stock ? 'InStock' : 'OutOfStock'}"><p>${tent.stock ? 'Sofort lieferbar, 2–3 Werktage' : 'Derzeit nicht lieferbar'}</p></div>
<div itemprop="description"><p>Ein Zelt für ${tent.people === 1 ? 'eine Person' : `${tent.people} Personen`}, das in wenigen Minuten steht.</p></div>
<table class="daten"><tr><th>Gewicht</th><td>${tent.weight}</td></tr><tr><th>Personen</th><td>${tent.people}</td></tr><tr><th>Wassersäule</th><td>4000 mm</td></tr></table></article>
<section><h2>Dazu passt</h2><ul><li><a href="/zubehoer/heringe">Heringe, 10 Stück</a> 12,90 €</li><li><a href="/zubehoer/plane">Zeltunterlage</a> 34,00 €</li></ul></section>`,
  );

const page = (title: string, body: string) => layout(title, `<h1>${title}</h1>${body}`);

export const zeltLaden = taskTemplate({
  name: 'zelt-laden',
  sites: {
    [HOST]: {
      '/': page(
        'Willkommen',
        `<p>Ausrüstung für Touren, bei denen das Wetter egal ist.</p><ul class="produkte">${card(TENTS[3]!)}</ul><p>Neu: unsere Zelte für die Saison 2026.</p>`,
      ),
      '/zelte': category(TENTS.slice(0, 3), 1),
      '/zelte?seite=2': category(TENTS.slice(3), 2),
      ...Object.fromEntries(TENTS.map((tent) => [`/zelte/${tent.slug}`, product(tent)])),
      '/rucksaecke': page('Rucksäcke', '<p>Unsere Rucksäcke kommen im April zurück.</p>'),
      '/sale': page('Sale', '<p>Zurzeit gibt es keine reduzierten Artikel.</p>'),
      '/versand': page(
        'Versand',
        '<p>Standardversand kostet 5,90 €. Ab 75,00 € liefern wir versandkostenfrei. Sperrgut kostet 19,00 € zusätzlich.</p>',
      ),
      '/impressum': page('Impressum', '<p>Geschäftsführerin: Annegret Lohse. Registergericht Freiburg, HRB 71822.</p>'),
    },
  },
  tasks: [
    {
      name: 'zelt-object',
      prompt: 'Find the tent Fjellstue 4 in this shop: its price in euros, article number, weight and availability.',
      urls: [`http://${HOST}/`],
      schema: object({
        name: text(),
        price: number('in euros'),
        articleNumber: text('SKU'),
        weight: text(),
        availability: text('schema.org availability or the words of the shop'),
      }),
      expected: {
        name: 'Fjellstue 4',
        price: 1249,
        articleNumber: 'BK-40377',
        weight: '6,8 kg',
        availability: {
          anyOf: ['Derzeit nicht lieferbar', 'OutOfStock', 'https://schema.org/OutOfStock', 'out of stock'],
        },
      },
      pages: [`${HOST}/zelte/fjellstue-4`],
    },
    {
      name: 'zelt-list',
      prompt: 'List all tents that the shop sells, with price and number of persons.',
      urls: [`http://${HOST}/zelte`],
      schema: object({ tents: listOf({ name: text(), price: number('in euros'), persons: integer() }) }),
      expected: {
        tents: TENTS.map(({ name, price, people }) => ({
          name,
          price: Number(price.replace('.', '').replace(',', '.')),
          persons: people,
        })),
      },
      pages: [`${HOST}/zelte`, `${HOST}/zelte?seite=2`],
    },
  ],
});

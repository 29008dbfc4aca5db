// A Swedish shop with two JSON-LD products: the first one is an accessory, prices are strings with a comma.
import { jsonLdScript, pagesOf, slug } from '../../labelled-page.ts';

const ITEMS = [
  {
    namn: 'Fåtölj Vänern',
    marke: 'Skogshem',
    artnr: '40-2201',
    pris: '3 495,00',
    tal: 3495,
    lager: 'InStock',
    farg: 'Mossgrön',
    bredd: '78 cm',
    tillbehor: 'Fotpall Vänern',
    litet: '995,00',
  },
  {
    namn: 'Cykelhjälm Trygg',
    marke: 'Sadel',
    artnr: '12-0077',
    pris: '649,00',
    tal: 649,
    lager: 'InStock',
    farg: 'Vit',
    bredd: '22 cm',
    tillbehor: 'Lampa Blink',
    litet: '129,00',
  },
  {
    namn: 'Matbord Ask 180',
    marke: 'Skogshem',
    artnr: '40-3318',
    pris: '8 990,00',
    tal: 8990,
    lager: 'BackOrder',
    farg: 'Natur',
    bredd: '90 cm',
    tillbehor: 'Iläggsskiva',
    litet: '1 290,00',
  },
  {
    namn: 'Termos 1 liter',
    marke: 'Fjällvind',
    artnr: '07-1000',
    pris: '279,50',
    tal: 279.5,
    lager: 'OutOfStock',
    farg: 'Blå',
    bredd: '9 cm',
    tillbehor: 'Extra kork',
    litet: '49,00',
  },
  {
    namn: 'Hängmatta Siesta',
    marke: 'Lugn & Ro',
    artnr: '33-4400',
    pris: '899,00',
    tal: 899,
    lager: 'InStock',
    farg: 'Randig',
    bredd: '150 cm',
    tillbehor: 'Upphängning',
    litet: '199,00',
  },
];

export const butikTwoScripts = pagesOf({
  kind: 'shop',
  name: 'butik-two-scripts',
  items: ITEMS,
  url: ({ namn, artnr }) => `https://hemochhall.example/${slug(namn)}-${artnr}`,
  schema: {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'Name of the product on this page' },
      brand: { type: 'string' },
      articleNumber: { type: 'string' },
      price: { type: 'number' },
      currency: { type: 'string', description: 'ISO code' },
      availability: { type: 'string', enum: ['in stock', 'out of stock', 'back order'] },
      colour: { type: 'string' },
      width: { type: 'string' },
    },
    required: ['name', 'price'],
  },
  jsonLd: ['name', 'brand', 'articleNumber', 'price', 'currency', 'availability', 'colour'],
  html: (
    item,
  ) => `<!doctype html><html lang="sv"><head><title>Köp ${item.namn} hos Hem & Håll</title><link rel="canonical" href="https://hemochhall.example/${slug(item.namn)}-${item.artnr}">
${jsonLdScript({ '@context': 'https://schema.org', '@type': 'Product', name: item.tillbehor, url: `https://hemochhall.example/${slug(item.tillbehor)}`, brand: { '@type': 'Brand', name: 'Hem & Håll' }, offers: { '@type': 'Offer', price: item.litet, priceCurrency: 'SEK', availability: 'InStock' } })}
${jsonLdScript({ '@context': 'https://schema.org', '@type': 'Product', name: item.namn, url: `https://hemochhall.example/${slug(item.namn)}-${item.artnr}`, color: item.farg, sku: item.artnr, brand: { '@type': 'Brand', name: item.marke }, offers: [{ '@type': 'Offer', priceSpecification: { '@type': 'UnitPriceSpecification', price: item.pris, priceCurrency: 'SEK' }, availability: `http://schema.org/${item.lager}` }] })}
</head><body><nav><a href="/mobler">Möbler</a><a href="/fritid">Fritid</a></nav><main><h1>${item.namn}</h1><p class="price">${item.pris} kr</p><p>En favorit år efter år. Tillverkad i Småland av material som åldras vackert och som går att laga.</p>
<details><summary>Mått och vikt</summary><p>Bredd: ${item.bredd}<br>Leverans: 3–5 dagar</p></details><div class="addon"><p>Köp till: ${item.tillbehor} (${item.litet} kr)</p></div></main></body></html>`,
  expected: (item) => ({
    name: item.namn,
    brand: item.marke,
    articleNumber: item.artnr,
    price: item.tal,
    currency: 'SEK',
    availability: { InStock: 'in stock', OutOfStock: 'out of stock', BackOrder: 'back order' }[item.lager]!,
    colour: item.farg,
    width: item.bredd,
  }),
});

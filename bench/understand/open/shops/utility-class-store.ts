// A modern shop whose classes only describe the look (utility classes): meaning is in the text, the order and aria-labels.
import { anyOf, pagesOf, slug } from '../../labelled-page.ts';

const ITEMS = [
  {
    brand: 'Norrland',
    name: 'Trail Pack 32',
    price: '189,95',
    per: 'Grau',
    rating: '4,6',
    votes: 212,
    save: 20,
    lief: '2–4 Werktage',
    nr: '4471-220',
  },
  {
    brand: 'Kappel & Söhne',
    name: 'Reisetasche Weekender',
    price: '1.249,00',
    per: 'Cognac',
    rating: '4,9',
    votes: 37,
    save: 10,
    lief: '1–2 Werktage',
    nr: '9913-001',
  },
];
const numberOf = (text: string): number => Number(text.replace('.', '').replace(',', '.'));

export const utilityClassStore = pagesOf({
  kind: 'shop',
  name: 'utility-class-store',
  items: ITEMS,
  url: ({ name }) => `https://taschenhaus.example/p/${slug(name)}`,
  schema: {
    type: 'object',
    properties: {
      produktname: { type: 'string' },
      marke: { type: 'string' },
      preis: { type: 'number', description: 'Preis in Euro' },
      waehrung: { type: 'string' },
      farbe: { type: 'string' },
      bewertung: { type: 'number', description: 'Durchschnitt der Sterne' },
      anzahlBewertungen: { type: 'integer' },
      lieferzeit: { type: 'string' },
      artikelnummer: { type: 'string' },
      material: { type: 'string' },
      garantie_jahre: { type: 'integer', description: 'Garantie in Jahren' },
    },
    required: ['produktname', 'preis'],
  },
  html: (
    item,
  ) => `<!doctype html><html lang="de"><head><title>${item.brand} ${item.name} kaufen | Taschenhaus</title></head><body><div id="__app">
<header class="flex px-4 py-2"><a class="font-bold text-xl" href="/">Taschenhaus</a><div class="text-sm">Kostenloser Versand ab 49 €</div></header>
<main class="max-w-6xl mx-auto grid md:grid-cols-2 gap-8"><div><img class="rounded-lg w-full" src="/img/${item.nr}.webp" alt="${item.brand} ${item.name}"></div><div class="flex flex-col gap-3">
<a class="text-sm uppercase tracking-wide text-gray-500" href="/marken/${slug(item.brand)}" aria-label="Marke ${item.brand}">${item.brand}</a><h1 class="text-3xl font-semibold">${item.name}</h1>
<div class="flex items-center gap-1" aria-label="${item.rating} von 5 Sternen"><svg class="w-4"></svg><svg class="w-4"></svg><span class="text-sm">${item.rating}</span><a class="underline text-sm" href="#r">${item.votes} Bewertungen</a></div>
<div class="flex items-baseline gap-2"><span class="text-2xl text-red-600 font-bold">${item.price} €</span><span class="bg-red-100 text-xs px-1">−${item.save} %</span></div><p class="text-xs text-gray-500">inkl. MwSt., zzgl. Versand</p>
<div class="text-sm"><span class="text-gray-500">Farbe</span> <span class="font-medium">${item.per}</span></div>
<button class="bg-black text-white rounded-full py-3">In den Warenkorb</button><p class="text-sm text-green-700">Lieferzeit ${item.lief}</p>
<div class="divide-y"><div class="flex justify-between py-2"><span class="text-gray-500">Material</span><span>Recyceltes Polyester</span></div><div class="flex justify-between py-2"><span class="text-gray-500">Artikelnummer</span><span>${item.nr}</span></div><div class="flex justify-between py-2"><span class="text-gray-500">Garantie</span><span>5 Jahre</span></div></div></div></main>
<section class="mt-12"><h2 class="text-xl">Das könnte dir auch gefallen</h2><div class="grid grid-cols-4"><a class="block" href="/p/a"><p>Norrland</p><p>Gürteltasche</p><p>39,95 €</p></a><a class="block" href="/p/b"><p>Norrland</p><p>Regenhülle</p><p>24,95 €</p></a><a class="block" href="/p/c"><p>Fjell</p><p>Daypack</p><p>89,95 €</p></a></div></section></div></body></html>`,
  expected: (item) => ({
    produktname: anyOf(item.name, `${item.brand} ${item.name}`),
    marke: item.brand,
    preis: numberOf(item.price),
    waehrung: anyOf('EUR', '€'),
    farbe: item.per,
    bewertung: numberOf(item.rating),
    anzahlBewertungen: item.votes,
    lieferzeit: item.lief,
    artikelnummer: item.nr,
    material: 'Recyceltes Polyester',
    garantie_jahre: 5,
  }),
});

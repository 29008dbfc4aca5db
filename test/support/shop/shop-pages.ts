// Pages of a shop with the same facts in several shapes, texts about stock in ten languages, and spellings of prices.

export const SOLD_OUT: readonly (readonly [language: string, text: string])[] = [
  ['en', 'Sold out'],
  ['en', 'Currently unavailable. We don’t know when or if this item will be back in stock.'],
  ['en', 'This item is no longer available'],
  ['de', 'Ausverkauft'],
  ['de', 'Dieser Artikel ist zurzeit leider nicht lieferbar.'],
  ['fr', 'Épuisé'],
  ['fr', 'Ce produit n’est plus disponible'],
  ['fr', 'En rupture de stock'],
  ['es', 'Agotado temporalmente'],
  ['es', 'No disponible por el momento'],
  ['it', 'Esaurito'],
  ['it', 'Al momento non disponibile'],
  ['nl', 'Tijdelijk uitverkocht'],
  ['nl', 'Dit artikel is niet meer leverbaar'],
  ['pt', 'Produto esgotado'],
  ['pt', 'Indisponível'],
  ['pl', 'Produkt chwilowo niedostępny'],
  ['pl', 'Wyprzedane'],
  ['sv', 'Tillfälligt slut i lager'],
  ['ja', '現在在庫切れです'],
];
export const IN_STOCK: readonly (readonly [language: string, text: string])[] = [
  ['en', 'Only 3 left in stock'],
  ['de', 'Auf Lager, in 2–3 Werktagen bei dir'],
  ['fr', 'En stock – expédié sous 24 h'],
  ['es', 'Disponible'],
  ['it', 'Disponibilità immediata'],
  ['nl', 'Op voorraad'],
  ['pt', 'Em estoque'],
  ['pl', 'Produkt dostępny'],
  ['sv', 'Finns i lager'],
  ['ja', '在庫あり'],
];

/** The rest of a shop's page, which says other things about other products. */
const RELATED = `<section class="mt-12"><h2 class="text-xl">You may also like</h2><div class="grid">
  <a class="block" href="/p/a"><p>Vase</p><p>€9.00</p><p>Sold out</p></a><a class="block" href="/p/b"><p>Bowl</p><p>€19.00</p><p>In stock</p></a></div></section>
  <section><h2>Reviews</h2><div><p>It was out of stock last year, now I have one.</p><p>Auf Lager</p></div></section>`;
export const shopPage = (language: string, main: string): string =>
  `<!doctype html><html lang="${language}"><head><title>Luna – Shop</title></head><body><header class="flex"><a href="/">Shop</a> <span>0,00 €</span></header><main class="grid">${main}</main>${RELATED}<footer>Sold out soon</footer></body></html>`;

/** Pages with the same facts: with telling names, with utility classes, as plain elements, as rows, with a button. */
export const SHAPES: Readonly<Record<string, (stock: string) => string>> = {
  named: (stock) =>
    `<h1>Luna</h1><p class="price">49,90 €</p><p class="stock">${stock}</p><button>Add to cart</button>`,
  utility: (stock) =>
    `<div><img src="/luna.jpg" alt="Luna"></div><div class="flex flex-col gap-3"><h1 class="text-3xl font-bold">Luna</h1><div class="flex gap-2"><span class="text-2xl">49,90 €</span></div><p class="text-sm text-red-700">${stock}</p><button class="bg-black" disabled>Add to cart</button></div>`,
  plain: (stock) => `<div><h1>Luna</h1>49,90 €<br>${stock}<br><a href="#notify">Questions?</a></div>`,
  columns: (stock) =>
    `<div class="w-1/2"><img src="/luna.jpg"><h1>Luna</h1><p>A lamp.</p></div><div class="w-1/2"><div>49,90 €</div><div><span>●</span> <span>${stock}</span></div><button>Add to cart</button></div>`,
  button: (stock) => `<h1>Luna</h1><p>49,90 €</p><button disabled>${stock}</button>`,
};

export const PRICES: readonly (readonly [what: string, html: string, price: number, original?: number])[] = [
  ['a line through by tag', '<p><del>89,00 €</del> 59,00 €</p>', 59, 89],
  [
    'a line through by class',
    '<div><span class="text-gray-500 line-through">89,00 €</span><span class="font-bold">59,00 €</span></div>',
    59,
    89,
  ],
  [
    'a line through by style',
    '<p><span style="text-decoration: line-through">89,00 €</span> <b>59,00 €</b></p>',
    59,
    89,
  ],
  [
    'the new price first',
    '<div class="flex"><p class="text-2xl">59,00 €</p><p class="line-through">89,00 €</p></div>',
    59,
    89,
  ],
  ['was and now', '<p>Was €89.00</p><p>Now €59.00</p>', 59, 89],
  ['a label of its own', '<div><span>UVP</span></div><div>89,00 €</div><div>59,00 €</div>', 59, 89],
  ['statt', '<p>statt 89,00 € nur 59,00 €</p>', 59, 89],
  ['au lieu de', '<p>59,00 € au lieu de 89,00 €</p>', 59, 89],
  ['antes', '<p>Antes 89,00 €</p><p>59,00 €</p>', 59, 89],
  ['invece di', '<p>59,00 € invece di 89,00 €</p>', 59, 89],
  ['van and voor', '<p>van € 89,00 voor € 59,00</p>', 59, 89],
  ['the lowest price of 30 days', '<p>59,00 €</p><p>Najniższa cena z 30 dni: 89,00 €</p>', 59, 89],
  ['an old price by name', '<p><span class="old-price">89,00 €</span><span>59,00 €</span></p>', 59, 89],
  ['a price per unit behind', '<p>59,00 €</p><p>€ 3,98 / kg</p>', 59],
  ['a price per unit before', '<p class="text-xs">3,98 € / 100 g</p><p class="text-2xl">59,00 €</p>', 59],
  ['a base price in brackets', '<p>59,00 € (1 kg = 3,98 €)</p>', 59],
  ['a range', '<p>59,00 € – 89,00 €</p>', 59],
  ['a range with one sign', '<p>59 – 89 €</p>', 59],
  ['a saving', '<p>Sie sparen 30,00 €</p><p>59,00 €</p>', 59],
  ['instalments', '<p>12 x 5,25 €</p><p>59,00 €</p><p>or 4 payments of €14.75</p>', 59],
  ['shipping', '<p>Free shipping over €49</p><p>59,00 €</p><p>4,90 € Versand</p>', 59],
  ['extras', '<p>59,00 €</p><p>Gift wrap +3,00 €</p>', 59],
  ['raised cents', '<p>59<sup>90</sup> €</p>', 59.9],
  ['cents apart', '<p><span>€</span><span>59</span><span>.</span><span>90</span></p>', 59.9],
];

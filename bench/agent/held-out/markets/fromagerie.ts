// A French cheese shop with JSON-LD that has several offers, one for each weight.
import { each, jsonLdScript, slug } from '../../../understand/labelled-page.ts';
import { listOf, number, object, taskTemplate, text } from '../../task.ts';

const HOST = 'fromagerie-clavel.test';
interface Cheese {
  name: string;
  milk: string;
  region: string;
  months: number;
  /** Weight and price. */
  offers: [string, string][];
}
const CHEESES: Cheese[] = [
  {
    name: 'Tomme des Aravis',
    milk: 'vache',
    region: 'Savoie',
    months: 5,
    offers: [
      ['250 g', '7.80'],
      ['500 g', '14.90'],
      ['1 kg', '28.00'],
    ],
  },
  {
    name: 'Bleu du Vercors',
    milk: 'vache',
    region: 'Isère',
    months: 3,
    offers: [
      ['200 g', '5.60'],
      ['400 g', '10.70'],
    ],
  },
  { name: 'Pavé de chèvre cendré', milk: 'chèvre', region: 'Berry', months: 1, offers: [['220 g', '8.40']] },
];
const path = (one: Cheese) => `/fromages/${slug(one.name)}`;
const euro = (price: string) => `${price.replace('.', ',')} €`;
const layout = (title: string, body: string, head = '') =>
  `<!doctype html><html lang="fr"><head><meta charset="utf-8"><title>${title} - Fromagerie Clavel</title>${head}</head><body><p class="bandeau">Livraison en colis réfrigéré, offerte dès 60 €</p><nav><a href="/">Accueil</a> <a href="/fromages">Fromages</a> <a href="/plateaux">Plateaux</a> <a href="/livraison">Livraison</a></nav>${body}<footer>Fromagerie Clavel, halles de Grenoble. SIRET 488 771 203 00018. <a href="/cgv">CGV</a></footer></body></html>`;
const product = (one: Cheese) =>
  layout(
    one.name,
    `<main><h1>${one.name}</h1><p>Lait de ${one.milk}, ${one.region}. Affinage : ${one.months} mois.</p><label>Poids <select>${each(one.offers, ([weight, price]) => `<option>${weight} – ${euro(price)}</option>`)}</select></label><button>Ajouter au panier</button><p>À déguster avec un pain de seigle et un vin blanc sec.</p></main><section><h2>Avis (2)</h2><p>« Excellent ! » 5/5</p><p>« Un peu fort pour moi. » 3/5</p></section>`,
    jsonLdScript({
      '@context': 'https://schema.org',
      '@type': 'Product',
      name: one.name,
      offers: one.offers.map(([weight, price]) => ({
        '@type': 'Offer',
        name: weight,
        price,
        priceCurrency: 'EUR',
        availability: 'https://schema.org/InStock',
      })),
    }),
  );

export const fromagerie = taskTemplate({
  name: 'fromagerie',
  sites: {
    [HOST]: {
      '/': layout(
        'Fromages des Alpes',
        '<main><h1>Fromages des Alpes et d’ailleurs</h1><p>Affinés dans notre cave depuis 1952.</p></main>',
      ),
      '/fromages': layout(
        'Fromages',
        `<main><h1>Nos fromages</h1><ul>${each(CHEESES, (one) => `<li><a href="${path(one)}">${one.name}</a> dès ${euro(one.offers[0]![1])}</li>`)}</ul></main>`,
      ),
      ...Object.fromEntries(CHEESES.map((one) => [path(one), product(one)])),
      '/livraison': layout(
        'Livraison',
        '<main><h1>Livraison</h1><p>Les colis partent le mardi et le jeudi. Le port coûte 9,90 €.</p></main>',
      ),
    },
  },
  tasks: [
    {
      name: 'fromage-variants',
      prompt: 'Tomme des Aravis : lait, région, durée d’affinage en mois et prix de chaque poids',
      urls: [`http://${HOST}/fromages`],
      schema: object({
        lait: text(),
        region: text(),
        affinageMois: number("durée d'affinage en mois"),
        offres: listOf({ poids: text(), prix: number('en euros') }),
      }),
      expected: {
        lait: { anyOf: ['vache', 'Lait de vache'] },
        region: 'Savoie',
        affinageMois: 5,
        offres: CHEESES[0]!.offers.map(([weight, price]) => ({ poids: weight, prix: Number(price) })),
      },
      pages: [`${HOST}/fromages/tomme-des-aravis`],
    },
  ],
});

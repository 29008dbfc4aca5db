// Real estate: cards without telling classes, facts with their units side by side.
import { each, pagesOf, slug } from '../../labelled-page.ts';

const heim = (titel: string, ort: string, miete: string, zimmer: string, flaeche: string) => ({
  titel,
  ort,
  miete,
  zimmer,
  flaeche,
});
const ITEMS = [
  {
    was: 'Mietwohnungen in Kassel',
    liste: [
      heim('Helle Altbauwohnung mit Balkon', 'Vorderer Westen, Kassel', '890', '3', '84'),
      heim('Singleapartment nahe Uni', 'Nord-Holland, Kassel', '410', '1', '28,5'),
      heim('Familienwohnung am Park', 'Wehlheiden, Kassel', '1.240', '4,5', '121'),
    ],
  },
  {
    was: 'Mietwohnungen in Fulda',
    liste: [
      heim('Dachgeschoss mit Domblick', 'Innenstadt, Fulda', '760', '2,5', '67'),
      heim('Erstbezug im Neubau', 'Aschenberg, Fulda', '1.050', '3', '92'),
      heim('Gartenwohnung', 'Horas, Fulda', '695', '2', '59'),
      heim('Maisonette', 'Ziehers, Fulda', '980', '4', '105'),
    ],
  },
];
const n = (text: string): number => Number(text.replace('.', '').replace(',', '.'));

export const immobilienKarten = pagesOf({
  kind: 'listing',
  name: 'immobilien-karten',
  items: ITEMS,
  url: ({ was }) => `https://wohnsuche.example/${slug(was)}`,
  schema: {
    type: 'object',
    properties: {
      angebote: {
        type: 'array',
        description: 'alle Wohnungen auf der Seite',
        items: {
          type: 'object',
          properties: {
            titel: { type: 'string' },
            adresse: { type: 'string' },
            kaltmiete: { type: 'number' },
            zimmer: { type: 'number' },
            wohnflaeche: { type: 'number', description: 'Wohnfläche in m²' },
            bild: { type: 'string' },
            url: { type: 'string' },
          },
        },
      },
    },
  },
  html: (item) =>
    `<!doctype html><html lang="de"><head><title>${item.was} – Wohnsuche</title></head><body><header><a href="/">Wohnsuche</a></header><main><h1>${item.was}</h1><div class="x1">${each(item.liste, (h, at) => `<article><a href="/expose/${at}-${slug(h.titel)}"><img src="/b/${at}.jpg" alt=""></a><div><a href="/expose/${at}-${slug(h.titel)}"><h2>${h.titel}</h2></a><div>${h.ort}</div><div><div><div>${h.miete} €</div><div>Kaltmiete</div></div><div><div>${h.flaeche} m²</div><div>Wohnfläche</div></div><div><div>${h.zimmer}</div><div>Zi.</div></div></div></div></article>`)}</div></main><footer><a href="/agb">AGB</a></footer></body></html>`,
  expected: (item) => ({
    angebote: item.liste.map((h, at) => ({
      titel: h.titel,
      adresse: h.ort,
      kaltmiete: n(h.miete),
      zimmer: n(h.zimmer),
      wohnflaeche: n(h.flaeche),
      bild: `https://wohnsuche.example/b/${at}.jpg`,
      url: `https://wohnsuche.example/expose/${at}-${slug(h.titel)}`,
    })),
  }),
});

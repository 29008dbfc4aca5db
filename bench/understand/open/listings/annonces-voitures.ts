// French car advertisements: one line of facts separated by dots, price with a thin space, a place with its code.
import { each, pagesOf, slug } from '../../labelled-page.ts';

const auto = (t: string, an: number, km: string, carb: string, prix: string, lieu: string) => ({
  t,
  an,
  km,
  carb,
  prix,
  lieu,
});
const ITEMS = [
  {
    q: 'Voitures d’occasion à Lyon',
    autos: [
      auto('Renault Clio V', 2021, '45 300', 'Essence', '13 490', 'Lyon (69)'),
      auto('Peugeot 308 SW', 2018, '98 120', 'Diesel', '11 900', 'Villeurbanne (69)'),
      auto('Dacia Spring', 2023, '12 800', 'Électrique', '12 750', 'Bron (69)'),
    ],
  },
  {
    q: 'Voitures d’occasion à Nantes',
    autos: [
      auto('Citroën C3', 2019, '61 000', 'Essence', '9 990', 'Nantes (44)'),
      auto('Toyota Yaris Hybride', 2022, '28 450', 'Hybride', '17 300', 'Rezé (44)'),
      auto('Fiat 500', 2017, '72 900', 'Essence', '7 800', 'Orvault (44)'),
      auto('VW Polo', 2020, '39 999', 'Diesel', '14 200', 'Carquefou (44)'),
    ],
  },
];
const n = (text: string): number => Number(text.replace(/\s/g, ''));

export const annoncesVoitures = pagesOf({
  kind: 'listing',
  name: 'annonces-voitures',
  items: ITEMS,
  url: ({ q }) => `https://lebonmoteur.example/${slug(q)}`,
  schema: {
    type: 'object',
    properties: {
      annonces: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            modele: { type: 'string', description: 'titre de l’annonce' },
            annee: { type: 'integer' },
            kilometrage: { type: 'integer', description: 'en km' },
            carburant: { type: 'string', enum: ['Essence', 'Diesel', 'Hybride', 'Électrique'] },
            prix: { type: 'number' },
            ville: { type: 'string' },
            lien: { type: 'string' },
          },
        },
      },
    },
  },
  html: (item) =>
    `<!doctype html><html lang="fr"><head><title>${item.q} - LeBonMoteur</title></head><body><header><a href="/">LeBonMoteur</a></header><h1>${item.q}</h1><section class="liste">${each(item.autos, (a) => `<a class="annonce" href="/annonce/${slug(a.t)}"><div class="vignette"><img src="/v/${slug(a.t)}.jpg" alt="${a.t}"></div><div class="corps"><h3>${a.t}</h3><p class="criteres">${a.an} · ${a.km} km · ${a.carb}</p><p class="lieu">${a.lieu}</p></div><div class="montant">${a.prix} €</div></a>`)}</section><footer><a href="/cgu">CGU</a></footer></body></html>`,
  expected: (item) => ({
    annonces: item.autos.map((a) => ({
      modele: a.t,
      annee: a.an,
      kilometrage: n(a.km),
      carburant: a.carb,
      prix: n(a.prix),
      ville: { anyOf: [a.lieu, a.lieu.replace(/ \(.*/, '')] },
      lien: `https://lebonmoteur.example/annonce/${slug(a.t)}`,
    })),
  }),
});

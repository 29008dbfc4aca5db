// A French estate agency: listings as div cards, each with a page of its own whose facts stand in spans with icons.
import { each } from '../../../understand/labelled-page.ts';
import { integer, listOf, number, object, taskTemplate, text } from '../../task.ts';

const HOST = 'agence-kerouan.test';
const HOMES = [
  {
    ref: 'KR-1187',
    title: 'Appartement T3 avec balcon',
    city: 'Lorient',
    price: '214 000',
    area: 68,
    rooms: 3,
    energy: 'C',
    fees: '1 240',
  },
  {
    ref: 'KR-1192',
    title: 'Maison de pêcheur rénovée',
    city: 'Port-Louis',
    price: '389 500',
    area: 112,
    rooms: 5,
    energy: 'D',
    fees: '0',
  },
  {
    ref: 'KR-1201',
    title: 'Studio proche gare',
    city: 'Lorient',
    price: '92 000',
    area: 24,
    rooms: 1,
    energy: 'E',
    fees: '610',
  },
  {
    ref: 'KR-1204',
    title: 'Longère et dépendances',
    city: 'Plouhinec',
    price: '465 000',
    area: 178,
    rooms: 7,
    energy: 'D',
    fees: '0',
  },
];
type Home = (typeof HOMES)[number];
const euros = (text: string): number => Number(text.replace(/\s/g, ''));
const path = (home: Home) => `/vente/${home.ref.toLowerCase()}`;

const layout = (
  title: string,
  body: string,
) => `<!DOCTYPE html><html lang="fr"><head><meta charset="utf-8"><title>${title} | Agence Kerouan</title></head><body>
<div class="entete"><a href="/">Agence Kerouan</a><div class="menu"><a href="/vente">Acheter</a><a href="/location">Louer</a><a href="/estimation">Estimer</a><a href="/agence">L'agence</a></div></div>
<div class="contenu">${body}</div>
<div class="pied"><div>Agence Kerouan, 4 quai des Indes, 56100 Lorient. Tél. 02 97 55 01 22</div><div>Honoraires à la charge du vendeur. <a href="/mentions">Mentions légales</a></div><div>© 2026 Agence Kerouan</div></div></body></html>`;

const card = (home: Home) =>
  `<div class="bien"><a class="bien__photo" href="${path(home)}"><img src="/p/${home.ref}.jpg" alt="${home.title}"></a><div class="bien__titre"><a href="${path(home)}">${home.title}</a></div><div class="bien__ville">${home.city}</div><div class="bien__prix">${home.price} €</div><div class="bien__infos"><span>${home.area} m²</span><span>${home.rooms} pièce${home.rooms > 1 ? 's' : ''}</span></div><div class="bien__coeur">♡ Ajouter aux favoris</div></div>`;

const detail = (home: Home) =>
  layout(
    `${home.title} à ${home.city}`,
    `<div class="fil"><a href="/">Accueil</a> / <a href="/vente">Vente</a> / ${home.city}</div><h1>${home.title}</h1><div class="prix-grand">${home.price} €</div>
<div class="faits"><span class="fait"><i class="ic-surface"></i>Surface : ${home.area} m²</span><span class="fait"><i class="ic-pieces"></i>Pièces : ${home.rooms}</span><span class="fait">DPE : ${home.energy}</span><span class="fait">Référence : ${home.ref}</span><span class="fait">Charges annuelles : ${home.fees} €</span></div>
<p>Situé à ${home.city}, ce bien lumineux profite d'un environnement calme, à quelques minutes des commerces et de la mer.</p>
<div class="calc">Simulez votre prêt : apport 20 000 €, durée 20 ans.</div><h2>Biens similaires</h2>${each(HOMES.filter((other) => other !== home).slice(0, 2), card)}`,
  );

export const annoncesImmo = taskTemplate({
  name: 'annonces-immo',
  sites: {
    [HOST]: {
      '/': layout(
        'Immobilier à Lorient',
        `<h1>Votre agence depuis 1974</h1><p>Nous vendons et louons dans le pays de Lorient.</p><h2>Coup de cœur</h2>${card(HOMES[1]!)}`,
      ),
      '/vente': layout(
        'Biens à vendre',
        `<h1>Biens à vendre</h1><div class="tri">Trier par : <select><option>Prix croissant</option></select></div>${each(HOMES, card)}`,
      ),
      ...Object.fromEntries(HOMES.map((home) => [path(home), detail(home)])),
      '/location': layout('Locations', '<h1>Locations</h1><p>Aucune location disponible pour le moment.</p>'),
      '/agence': layout(
        "L'agence",
        "<h1>L'agence</h1><p>Une équipe de cinq personnes, dirigée par Maëlle Le Goff depuis 2011.</p>",
      ),
    },
  },
  tasks: [
    {
      name: 'immo-object',
      prompt:
        'Quel est le prix, la surface, le nombre de pièces, le DPE et la référence de la maison de pêcheur rénovée à Port-Louis ?',
      urls: [`http://${HOST}/`],
      schema: object({
        prix: number('en euros'),
        surface: number('en m²'),
        pieces: integer(),
        dpe: text('classe énergie'),
        reference: text(),
      }),
      expected: { prix: 389500, surface: 112, pieces: 5, dpe: 'D', reference: 'KR-1192' },
      pages: [`${HOST}/vente/kr-1192`],
    },
    {
      name: 'immo-list',
      prompt: 'Liste tous les biens à vendre avec leur titre, la ville, le prix et la surface.',
      urls: [`http://${HOST}/vente`],
      schema: object({
        biens: listOf({ titre: text(), ville: text(), prix: number('en euros'), surface: number('en m²') }),
      }),
      expected: {
        biens: HOMES.map(({ title, city, price, area }) => ({
          titre: title,
          ville: city,
          prix: euros(price),
          surface: area,
        })),
      },
      pages: [`${HOST}/vente`],
    },
  ],
});

// A French recipe site with microdata, durations both as ISO values and in words.
import { each, pagesOf, slug } from '../../labelled-page.ts';

const ITEMS = [
  {
    nom: 'Tarte aux poireaux',
    preparation: 25,
    cuisson: 35,
    parts: 6,
    cout: 'bon marché',
    ingredients: ['1 pâte brisée', '4 poireaux', '3 œufs', '20 cl de crème fraîche'],
    etapes: [
      'Émincer les poireaux et les faire fondre au beurre.',
      'Battre les œufs avec la crème.',
      'Garnir la pâte et cuire 35 minutes à 190 °C.',
    ],
  },
  {
    nom: 'Mousse au chocolat noir',
    preparation: 20,
    cuisson: 0,
    parts: 4,
    cout: 'moyen',
    ingredients: ['200 g de chocolat noir', '6 œufs', '1 pincée de sel'],
    etapes: [
      'Faire fondre le chocolat.',
      'Incorporer les jaunes, puis les blancs en neige.',
      'Laisser prendre 4 heures au frais.',
    ],
  },
  {
    nom: 'Gratin dauphinois',
    preparation: 30,
    cuisson: 75,
    parts: 8,
    cout: 'bon marché',
    ingredients: ['1,5 kg de pommes de terre', '50 cl de lait', '50 cl de crème', '1 gousse d’ail'],
    etapes: [
      'Couper les pommes de terre en fines rondelles.',
      'Les cuire dix minutes dans le lait et la crème.',
      'Enfourner 1 h 15 à 150 °C.',
    ],
  },
  {
    nom: 'Soupe au pistou',
    preparation: 40,
    cuisson: 60,
    parts: 6,
    cout: 'bon marché',
    ingredients: ['300 g de haricots blancs', '3 courgettes', '1 bouquet de basilic', '100 g de parmesan'],
    etapes: ['Cuire les légumes une heure.', 'Piler le basilic avec l’ail et l’huile.', 'Servir le pistou à part.'],
  },
  {
    nom: 'Clafoutis aux cerises',
    preparation: 15,
    cuisson: 45,
    parts: 6,
    cout: 'moyen',
    ingredients: ['500 g de cerises', '4 œufs', '100 g de farine', '25 cl de lait'],
    etapes: ['Disposer les cerises dans un plat.', 'Verser la pâte et cuire 45 minutes.'],
  },
];

const enMots = (minutes: number): string =>
  minutes >= 60 ? `${Math.floor(minutes / 60)} h${minutes % 60 > 0 ? ` ${minutes % 60}` : ''}` : `${minutes} min`;

export const recetteMicrodata = pagesOf({
  kind: 'recipe',
  name: 'recette-microdata',
  items: ITEMS,
  url: ({ nom }) => `https://tabledefamille.example/recette/${slug(nom)}`,
  schema: {
    type: 'object',
    properties: {
      nom: { type: 'string', description: 'Nom de la recette' },
      tempsPreparation: { type: 'integer', description: 'en minutes' },
      tempsCuisson: { type: 'integer', description: 'en minutes' },
      personnes: { type: 'integer', description: 'Nombre de personnes' },
      ingredients: { type: 'array', items: { type: 'string' } },
      etapes: { type: 'array', items: { type: 'string' }, description: 'Étapes de la préparation' },
      cout: { type: 'string', description: 'Coût de la recette' },
    },
  },
  html: (
    item,
  ) => `<!doctype html><html lang="fr"><head><title>${item.nom} : la meilleure recette</title></head><body><nav><a href="/entrees">Entrées</a> <a href="/plats">Plats</a> <a href="/desserts">Desserts</a></nav>
<div itemscope itemtype="http://schema.org/Recipe"><h1 itemprop="name">${item.nom}</h1><img itemprop="image" src="/photos/${slug(item.nom)}.webp" alt="">
<p itemprop="description">Une recette simple, transmise de mère en fille, qui plaît à tous les coups.</p>
<ul class="infos"><li>Préparation : <time itemprop="prepTime" datetime="PT${item.preparation}M">${enMots(item.preparation)}</time></li><li>Cuisson : <time itemprop="cookTime" datetime="PT${item.cuisson}M">${item.cuisson === 0 ? 'sans cuisson' : enMots(item.cuisson)}</time></li><li>Pour <span itemprop="recipeYield">${item.parts} personnes</span></li><li>Coût : ${item.cout}</li></ul>
<h2>Ingrédients</h2><ul>${each(item.ingredients, (part) => `<li itemprop="recipeIngredient">${part}</li>`)}</ul><h2>Préparation</h2>${each(item.etapes, (etape, at) => `<div class="etape"><b>Étape ${at + 1}</b><p itemprop="recipeInstructions">${etape}</p></div>`)}</div>
<div class="pub">Découvrez notre robot cuiseur à 299 €</div><div class="similaires"><h3>Recettes similaires</h3><a href="/recette/quiche">Quiche lorraine (45 min)</a></div></body></html>`,
  expected: (item) => ({
    nom: item.nom,
    tempsPreparation: item.preparation,
    tempsCuisson: item.cuisson,
    personnes: item.parts,
    ingredients: item.ingredients,
    etapes: item.etapes,
    cout: item.cout,
  }),
});

// An Italian recipe: JSON-LD with sections of steps and the yield in words; difficulty and cost stand in the page.
import { each, jsonLdScript, pagesOf, slug } from '../../labelled-page.ts';

const ITEMS = [
  {
    nome: 'Lasagne al pesto',
    prep: 'PT40M',
    minutiPrep: 40,
    cottura: 'PT30M',
    minutiCottura: 30,
    porzioni: 6,
    difficolta: 'Media',
    ingredienti: ['12 sfoglie di lasagna', '200 g di pesto', '500 ml di besciamella', '100 g di parmigiano'],
    passi: [
      'Preparare la besciamella.',
      'Alternare sfoglie, pesto e besciamella.',
      'Infornare a 180 °C per 30 minuti.',
    ],
  },
  {
    nome: 'Panzanella',
    prep: 'PT20M',
    minutiPrep: 20,
    cottura: 'PT0M',
    minutiCottura: 0,
    porzioni: 4,
    difficolta: 'Facile',
    ingredienti: ['300 g di pane raffermo', '4 pomodori', '1 cipolla rossa', 'basilico'],
    passi: ['Bagnare il pane.', 'Condire con i pomodori e lasciare riposare.'],
  },
  {
    nome: 'Ossobuco alla milanese',
    prep: 'PT15M',
    minutiPrep: 15,
    cottura: 'PT1H45M',
    minutiCottura: 105,
    porzioni: 4,
    difficolta: 'Media',
    ingredienti: ['4 ossibuchi', '1 cipolla', '200 ml di vino bianco', '1 limone'],
    passi: ['Rosolare la carne.', 'Sfumare con il vino e cuocere piano.', 'Finire con la gremolada.'],
  },
  {
    nome: 'Torta caprese',
    prep: 'P0DT25M',
    minutiPrep: 25,
    cottura: 'PT50M',
    minutiCottura: 50,
    porzioni: 8,
    difficolta: 'Facile',
    ingredienti: ['200 g di mandorle', '180 g di cioccolato', '150 g di burro', '5 uova'],
    passi: ['Sciogliere burro e cioccolato.', 'Unire le mandorle e le uova montate.', 'Cuocere 50 minuti.'],
  },
  {
    nome: 'Ribollita',
    prep: 'PT30M',
    minutiPrep: 30,
    cottura: 'PT2H',
    minutiCottura: 120,
    porzioni: 8,
    difficolta: 'Facile',
    ingredienti: ['400 g di cavolo nero', '300 g di cannellini', '250 g di pane', '2 carote'],
    passi: ['Cuocere i fagioli.', 'Aggiungere le verdure.', 'Ribollire il giorno dopo con il pane.'],
  },
];

export const ricettaSections = pagesOf({
  kind: 'recipe',
  name: 'ricetta-sections',
  items: ITEMS,
  url: ({ nome }) => `https://cucinadicasa.example/ricette/${slug(nome)}.html`,
  schema: {
    type: 'object',
    properties: {
      title: { type: 'string' },
      prepMinutes: { type: 'number' },
      cookMinutes: { type: 'number' },
      servings: { type: 'number' },
      ingredients: { type: 'array', items: { type: 'string' } },
      steps: { type: 'array', items: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } },
      difficulty: { type: 'string' },
    },
    required: ['title', 'ingredients', 'steps'],
  },
  jsonLd: ['title', 'prepMinutes', 'cookMinutes', 'servings', 'ingredients', 'steps[].text'],
  html: (
    item,
  ) => `<!doctype html><html lang="it"><head><title>Ricetta ${item.nome} - Cucina di casa</title>${jsonLdScript({
    '@context': 'http://schema.org',
    '@type': 'Recipe',
    name: item.nome,
    prepTime: item.prep,
    cookTime: item.cottura,
    recipeYield: `${item.porzioni} porzioni`,
    recipeIngredient: item.ingredienti,
    recipeInstructions: [
      {
        '@type': 'HowToSection',
        name: 'Inizio',
        itemListElement: item.passi.slice(0, 1).map((text) => ({ '@type': 'HowToStep', text })),
      },
      {
        '@type': 'HowToSection',
        name: 'Fine',
        itemListElement: item.passi.slice(1).map((text) => ({ '@type': 'HowToStep', text })),
      },
    ],
  })}</head><body><div class="logo"><a href="/">Cucina di casa</a></div><h1>${item.nome}</h1><ul class="scheda"><li>Difficoltà: <strong>${item.difficolta}</strong></li><li>Preparazione: <strong>${item.minutiPrep} min</strong></li><li>Dosi per: <strong>${item.porzioni} persone</strong></li></ul>
<p>Un piatto della domenica, di quelli che profumano le scale del palazzo. La ricetta è quella della nonna, con meno burro.</p><h2>Ingredienti</h2><dl>${each(item.ingredienti, (uno) => `<dd>${uno}</dd>`)}</dl><h2>Come si fa</h2>${each(item.passi, (passo, at) => `<p><span>${at + 1}</span> ${passo}</p>`)}</body></html>`,
  expected: (item) => ({
    title: item.nome,
    prepMinutes: item.minutiPrep,
    cookMinutes: item.minutiCottura,
    servings: item.porzioni,
    ingredients: item.ingredienti,
    steps: item.passi.map((text) => ({ text })),
    difficulty: item.difficolta,
  }),
});

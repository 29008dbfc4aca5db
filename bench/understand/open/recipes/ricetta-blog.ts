// An Italian recipe blog: facts in a list with bold labels, ingredients as lines with <br>, steps as paragraphs.
import { pagesOf, slug } from '../../labelled-page.ts';

const ITEMS = [
  {
    t: 'Gnocchi alla sorrentina',
    diff: 'Facile',
    prep: 30,
    cott: 25,
    dosi: 4,
    costo: 'Basso',
    ing: ['1 kg di patate', '300 g di farina', '250 g di mozzarella'],
    passi: [
      'Lessate le patate con la buccia.',
      'Impastate con la farina e formate gli gnocchi.',
      'Condite e gratinate in forno.',
    ],
  },
  {
    t: 'Torta caprese al limone',
    diff: 'Media',
    prep: 20,
    cott: 50,
    dosi: 8,
    costo: 'Medio',
    ing: ['200 g di mandorle', '4 uova', '180 g di cioccolato bianco', '2 limoni'],
    passi: ['Tritate le mandorle con lo zucchero.', 'Montate le uova a lungo.', 'Unite tutto e infornate a 170 gradi.'],
  },
];

export const ricettaBlog = pagesOf({
  kind: 'recipe',
  name: 'ricetta-blog',
  items: ITEMS,
  url: ({ t }) => `https://cucinadinonna.example/ricette/${slug(t)}`,
  schema: {
    type: 'object',
    properties: {
      nome: { type: 'string' },
      difficolta: { type: 'string', enum: ['Facile', 'Media', 'Difficile'] },
      tempo_preparazione: { type: 'integer', description: 'minuti' },
      tempo_cottura: { type: 'integer', description: 'minuti' },
      porzioni: { type: 'integer' },
      costo: { type: 'string' },
      ingredienti: { type: 'array', items: { type: 'string' } },
      procedimento: { type: 'array', items: { type: 'string' } },
      calorie: { type: 'integer' },
    },
  },
  html: (item) =>
    `<!doctype html><html lang="it"><head><title>Ricetta ${item.t} - La cucina di nonna</title></head><body><header><a href="/">La cucina di nonna</a></header><main><h1>${item.t}</h1><p>Un classico di casa che profuma di domenica e mette d'accordo tutti, dai più piccoli ai nonni.</p><div class="scheda"><ul><li>Difficoltà: <strong>${item.diff}</strong></li><li>Preparazione: <strong>${item.prep} min</strong></li><li>Cottura: <strong>${item.cott} min</strong></li><li>Dosi per: <strong>${item.dosi} persone</strong></li><li>Costo: <strong>${item.costo}</strong></li></ul></div><h2>Ingredienti</h2><p>${item.ing.join('<br>')}</p><h2>Procedimento</h2>${item.passi.map((passo) => `<p>${passo}</p>`).join('')}<h2>Conservazione</h2><p>Si conserva in frigo per due giorni, ben coperta.</p></main></body></html>`,
  expected: (item) => ({
    nome: item.t,
    difficolta: item.diff,
    tempo_preparazione: item.prep,
    tempo_cottura: item.cott,
    porzioni: item.dosi,
    costo: item.costo,
    ingredienti: item.ing,
    procedimento: item.passi,
    calorie: null,
  }),
});

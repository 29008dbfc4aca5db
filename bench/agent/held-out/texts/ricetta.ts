// An Italian recipe as prose and a plain list, with a printed version that is linked.
import { each } from '../../../understand/labelled-page.ts';
import { integer, object, taskTemplate, text } from '../../task.ts';

const HOST = 'cucinadizia.test';
const INGREDIENTS = [
  '320 g di riso Carnaroli',
  '1 bustina di zafferano',
  '1 cipolla piccola',
  '80 g di burro',
  '60 g di parmigiano',
  '1 litro di brodo di carne',
];
const layout = (title: string, body: string) =>
  `<!doctype html><html lang="it"><head><meta charset="utf-8"><title>${title} | La cucina di zia Rosa</title></head><body><h2><a href="/">La cucina di zia Rosa</a></h2><p><a href="/primi">Primi</a> - <a href="/dolci">Dolci</a> - <a href="/contatti">Scrivimi</a></p>${body}<p>Commenti: 18. Seguimi anche altrove! Questo sito usa i cookie.</p></body></html>`;

export const ricetta = taskTemplate({
  name: 'ricetta',
  sites: {
    [HOST]: {
      '/': layout(
        'Benvenuti',
        '<h1>Benvenuti</h1><p>Le ricette di casa, scritte come me le ha insegnate mia nonna.</p>',
      ),
      '/primi': layout(
        'Primi',
        '<h1>Primi</h1><ul><li><a href="/primi/risotto-allo-zafferano">Risotto allo zafferano</a></li><li><a href="/primi/pasta-e-ceci">Pasta e ceci</a></li></ul>',
      ),
      '/primi/risotto-allo-zafferano': layout(
        'Risotto allo zafferano',
        `<h1>Risotto allo zafferano</h1><p>Il piatto della domenica, quando fuori c'è nebbia.</p><p><b>Dosi per 4 persone.</b> Preparazione: 10 minuti. Cottura: 25 minuti. Difficoltà: facile.</p><h3>Ingredienti</h3><ul>${each(INGREDIENTS, (item) => `<li>${item}</li>`)}</ul><h3>Procedimento</h3><p>Soffriggete la cipolla nel burro, tostate il riso e bagnate con il brodo. Alla fine unite lo zafferano e mantecate.</p>`,
      ),
      '/primi/pasta-e-ceci': layout(
        'Pasta e ceci',
        '<h1>Pasta e ceci</h1><p><b>Dosi per 6 persone.</b> Preparazione: 20 minuti. Cottura: 90 minuti. Difficoltà: media.</p>',
      ),
    },
  },
  tasks: [
    {
      name: 'ricetta-risotto',
      prompt:
        'Risotto allo zafferano: per quante persone, tempo di preparazione e di cottura, difficoltà e ingredienti',
      urls: [`http://${HOST}/primi`],
      schema: object({
        persone: integer(),
        preparazione: text('tempo di preparazione'),
        cottura: text('tempo di cottura'),
        difficolta: text('difficoltà'),
        ingredienti: { type: 'array', items: { type: 'string' } },
      }),
      expected: {
        persone: 4,
        preparazione: { anyOf: ['10 minuti', 'PT10M'] },
        cottura: { anyOf: ['25 minuti', 'PT25M'] },
        difficolta: 'facile',
        ingredienti: INGREDIENTS,
      },
      pages: [`${HOST}/primi/risotto-allo-zafferano`],
    },
  ],
});

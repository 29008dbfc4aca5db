// A Spanish newspaper: facts in prose, a similar earlier event in another article.
import { each } from '../../../understand/labelled-page.ts';
import { date, integer, object, taskTemplate, text } from '../../task.ts';

const HOST = 'eldiariodelebro.test';
const ARTICLES = [
  {
    path: '/cultura/museo-del-agua-reabre',
    title: 'El Museo del Agua reabre tras tres años de obras',
    by: 'Nuria Escartín',
    body: [
      'El Museo del Agua abrirá de nuevo sus puertas el 22 de mayo de 2026, después de tres años de obras.',
      'La reforma ha costado 6,2 millones de euros y añade 1.400 metros cuadrados de exposición. La nueva directora, Beatriz Lanuza, destacó la sala dedicada a los molinos.',
      'El primer fin de semana la entrada será gratuita. Después costará 7 euros.',
    ],
  },
  {
    path: '/cultura/museo-del-agua-cierra',
    title: 'El Museo del Agua cierra por obras',
    by: 'Óscar Pina',
    body: [
      'El Museo del Agua cerró el 3 de abril de 2023 para una reforma que debía durar dos años.',
      'El entonces director, Julián Artal, calculó un coste de 4,5 millones de euros.',
    ],
  },
  {
    path: '/deportes/remo-final',
    title: 'La regata del Ebro bate su récord',
    by: 'Óscar Pina',
    body: ['Más de 90 embarcaciones participaron el domingo en la regata.'],
  },
];
type Article = (typeof ARTICLES)[number];
const layout = (title: string, body: string) =>
  `<!doctype html><html lang="es"><head><meta charset="utf-8"><title>${title} | El Diario del Ebro</title></head><body><div class="top">Martes, 3 de febrero de 2026 | Suscríbete por 2 € al mes</div><h3><a href="/">El Diario del Ebro</a></h3><div class="secciones"><a href="/cultura">Cultura</a> <a href="/deportes">Deportes</a></div>${body}<div class="pie">Prohibida la reproducción. Utilizamos cookies.</div></body></html>`;
const teaser = (one: Article) =>
  `<div class="noticia"><a href="${one.path}">${one.title}</a><p>${one.body[0]}</p></div>`;
const articlePage = (one: Article) =>
  layout(
    one.title,
    `<div class="articulo"><h1>${one.title}</h1><div class="firma">${one.by}</div>${each(one.body, (text) => `<p>${text}</p>`)}<div class="lomasvisto"><b>Lo más visto</b>${each(
      ARTICLES.filter((other) => other !== one),
      ({ path, title }) => `<a href="${path}">${title}</a>`,
    )}</div></div>`,
  );

export const diario = taskTemplate({
  name: 'diario',
  sites: {
    [HOST]: {
      '/': layout('Noticias', each(ARTICLES, teaser)),
      '/cultura': layout('Cultura', `<h1>Cultura</h1>${each(ARTICLES.slice(0, 2), teaser)}`),
      ...Object.fromEntries(ARTICLES.map((one) => [one.path, articlePage(one)])),
    },
  },
  tasks: [
    {
      name: 'diario-museo',
      prompt: 'Reapertura del Museo del Agua: fecha de reapertura, nueva directora y precio de la entrada en euros',
      schema: object({
        fechaReapertura: date(),
        directora: text('nueva directora'),
        precioEntrada: integer('en euros'),
      }),
      expected: { fechaReapertura: '2026-05-22', directora: 'Beatriz Lanuza', precioEntrada: 7 },
      pages: [`${HOST}/cultura/museo-del-agua-reabre`],
    },
  ],
});

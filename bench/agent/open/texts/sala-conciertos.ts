// A Spanish concert hall: events as hCalendar in a list, details and prices on pages of their own.
import { each, slug } from '../../../understand/labelled-page.ts';
import { date, listOf, number, object, taskTemplate, text } from '../../task.ts';

const HOST = 'salalumbrera.test';
const SHOWS = [
  {
    name: 'Cuarteto Alborada',
    iso: '2026-03-06',
    day: 'viernes 6 de marzo de 2026',
    time: '20:30',
    price: 18,
    door: 22,
    kind: 'Clásica',
  },
  {
    name: 'Marea Negra',
    iso: '2026-03-14',
    day: 'sábado 14 de marzo de 2026',
    time: '21:00',
    price: 24,
    door: 28,
    kind: 'Rock',
  },
  {
    name: 'Inés Valcárcel Trío',
    iso: '2026-03-27',
    day: 'viernes 27 de marzo de 2026',
    time: '19:45',
    price: 15,
    door: 18,
    kind: 'Jazz',
  },
];
type Show = (typeof SHOWS)[number];
const path = (one: Show) => `/programa/${slug(one.name)}`;
const layout = (title: string, body: string) =>
  `<!doctype html><html lang="es"><head><meta charset="utf-8"><title>${title} | Sala Lumbrera</title></head><body><header><h2><a href="/">Sala Lumbrera</a></h2><nav><a href="/programa">Programa</a><a href="/abonos">Abonos</a><a href="/como-llegar">Cómo llegar</a></nav></header><main>${body}</main><aside class="boletin">Recibe el boletín: <input type="email"></aside><footer>Sala Lumbrera, calle del Pozo 12, Zaragoza. Taquilla de martes a sábado de 17:00 a 21:00. Este sitio usa cookies propias y de terceros.</footer></body></html>`;
const entry = (one: Show) =>
  `<li class="vevent"><a class="url summary" href="${path(one)}">${one.name}</a> <abbr class="dtstart" title="${one.iso}T${one.time}">${one.day}, ${one.time} h</abbr> <span class="category">${one.kind}</span> <span class="precio">desde ${one.price} €</span></li>`;
const detail = (one: Show) =>
  layout(
    one.name,
    `<h1>${one.name}</h1><p class="fecha">${one.day}, ${one.time} h</p><p>${one.kind} en la sala grande. Duración aproximada: 90 minutos sin descanso.</p><ul class="precios"><li>Anticipada: ${one.price} €</li><li>En taquilla: ${one.door} €</li></ul><p><a href="/abonos">Con abono, 20 % de descuento</a></p><h2>También te puede gustar</h2><ul>${each(
      SHOWS.filter((other) => other !== one),
      entry,
    )}</ul>`,
  );

export const salaConciertos = taskTemplate({
  name: 'sala-conciertos',
  sites: {
    [HOST]: {
      '/': layout(
        'Música en directo',
        '<h1>Música en directo desde 1989</h1><p>Este mes: jazz, rock y música de cámara. <a href="/programa">Ver el programa de marzo</a></p>',
      ),
      '/programa': layout('Programa', `<h1>Programa de marzo</h1><ul class="vcalendar">${each(SHOWS, entry)}</ul>`),
      ...Object.fromEntries(SHOWS.map((one) => [path(one), detail(one)])),
      '/abonos': layout('Abonos', '<h1>Abonos</h1><p>El abono de diez conciertos cuesta 140 €.</p>'),
    },
  },
  tasks: [
    {
      name: 'conciertos-list',
      prompt: 'Todos los conciertos de marzo de 2026 con nombre, fecha, precio anticipado y precio en taquilla',
      urls: [`http://${HOST}/programa`],
      schema: object({
        conciertos: listOf({
          nombre: text(),
          fecha: date(),
          precioAnticipado: number('en euros, venta anticipada'),
          precioTaquilla: number('en euros, en taquilla'),
        }),
      }),
      expected: {
        conciertos: SHOWS.map(({ name, iso, price, door }) => ({
          nombre: name,
          fecha: iso,
          precioAnticipado: price,
          precioTaquilla: door,
        })),
      },
      pages: [`${HOST}/programa`, ...SHOWS.map((one) => HOST + path(one))],
    },
  ],
});

// A Spanish travel agency: cards without headings, "desde" prices, sponsored cards in between.
import { each, pagesOf, slug } from '../../labelled-page.ts';

const viaje = (destino: string, dias: number, precio: string, salida: string, iso: string) => ({
  destino,
  dias,
  precio,
  salida,
  iso,
});
const ITEMS = [
  {
    tema: 'Islas',
    viajes: [
      viaje('Menorca a pie', 6, 'desde 540 €', '10/05/2026', '2026-05-10'),
      viaje('Azores en familia', 8, 'desde 1.190 €', '04/07/2026', '2026-07-04'),
      viaje('Sicilia y sus templos', 7, 'desde 875 €', '21/09/2026', '2026-09-21'),
    ],
  },
  {
    tema: 'Montaña',
    viajes: [
      viaje('Picos de Europa', 5, 'desde 395 €', '12/06/2026', '2026-06-12'),
      viaje('Vuelta al Mont Blanc', 9, 'desde 1.450 €', '15/08/2026', '2026-08-15'),
    ],
  },
  {
    tema: 'Ciudades',
    viajes: [
      viaje('Oporto y el Duero', 4, 'desde 320 €', '02/04/2026', '2026-04-02'),
      viaje('Praga en otoño', 5, 'desde 465 €', '08/10/2026', '2026-10-08'),
      viaje('Estambul', 6, 'desde 610 €', '19/11/2026', '2026-11-19'),
      viaje('Lisboa en tren', 3, 'desde 245 €', '27/03/2026', '2026-03-27'),
    ],
  },
  {
    tema: 'Nieve',
    viajes: [
      viaje('Laponia', 7, 'desde 2.380 €', '28/12/2026', '2026-12-28'),
      viaje('Andorra con niños', 4, 'desde 430 €', '14/02/2026', '2026-02-14'),
    ],
  },
  {
    tema: 'Desiertos',
    viajes: [
      viaje('Wadi Rum', 8, 'desde 1.275 €', '03/11/2026', '2026-11-03'),
      viaje('Merzouga', 5, 'desde 690 €', '17/10/2026', '2026-10-17'),
      viaje('Bardenas Reales', 2, 'desde 150 €', '05/05/2026', '2026-05-05'),
    ],
  },
];

export const viajesConAnuncios = pagesOf({
  kind: 'listing',
  name: 'viajes-con-anuncios',
  items: ITEMS,
  url: ({ tema }) => `https://rutasdelsur.example/viajes/${slug(tema)}`,
  schema: {
    type: 'object',
    properties: {
      viajes: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            destino: { type: 'string' },
            duracion_dias: { type: 'integer', description: 'Duración en días' },
            precio_desde: { type: 'number', description: 'Precio mínimo en euros' },
            fecha_salida: { type: 'string', format: 'date' },
            enlace: { type: 'string', description: 'URL de la ficha' },
          },
          required: ['destino'],
        },
      },
    },
    required: ['viajes'],
  },
  html: (
    item,
  ) => `<!doctype html><html lang="es"><head><title>Viajes: ${item.tema} | Rutas del Sur</title></head><body><div class="cab"><a href="/">Rutas del Sur</a><a href="/contacto">Contacto</a></div><p class="titular">Viajes: ${item.tema}</p>
<div class="lista">${each(
    item.viajes,
    (one, at) =>
      `${at === 1 ? '<div class="patro"><a href="https://anuncios.example/x"><span class="n">Seguro de viaje</span><span class="p">desde 19 €</span></a><span>Patrocinado</span></div>' : ''}<div class="v"><a href="/ficha/${slug(one.destino)}"><img src="/f/${at}.jpg" alt=""><span class="n">${one.destino}</span></a><span class="d">${one.dias} días / ${one.dias - 1} noches</span><span class="s">Salida: ${one.salida}</span><span class="p">${one.precio}</span><a class="mas" href="/ficha/${slug(one.destino)}">Ver viaje</a></div>`,
  )}</div><div class="pie">Agencia con licencia. Grupos de 8 a 14 personas.</div></body></html>`,
  expected: (item) => ({
    viajes: item.viajes.map((one) => ({
      destino: one.destino,
      duracion_dias: one.dias,
      precio_desde: Number(one.precio.replace(/[^\d]/g, '')),
      fecha_salida: one.iso,
      enlace: `https://rutasdelsur.example/ficha/${slug(one.destino)}`,
    })),
  }),
});

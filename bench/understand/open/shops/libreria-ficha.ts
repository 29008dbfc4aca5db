// A Spanish bookshop: a sheet of data as lines with bold labels, price with VAT, availability in words.
import { anyOf, pagesOf, slug } from '../../labelled-page.ts';

const ITEMS = [
  {
    t: 'La casa de los almendros',
    a: 'Inés Robledo',
    ed: 'Ediciones Marea',
    isbn: '978-84-0000-123-4',
    p: '19,90',
    pag: 312,
    ano: 2024,
    enc: 'Tapa blanda',
    dis: 'Disponible en 24 horas',
    ok: true,
  },
  {
    t: 'Manual del huerto urbano',
    a: 'Pere Vidal',
    ed: 'Tierra Viva',
    isbn: '978-84-0000-456-2',
    p: '24,50',
    pag: 208,
    ano: 2021,
    enc: 'Tapa dura',
    dis: 'Agotado',
    ok: false,
  },
];

export const libreriaFicha = pagesOf({
  kind: 'shop',
  name: 'libreria-ficha',
  items: ITEMS,
  url: ({ t }) => `https://libreriaelfaro.example/libro/${slug(t)}_88123/`,
  schema: {
    type: 'object',
    properties: {
      titulo: { type: 'string' },
      autor: { type: 'string' },
      editorial: { type: 'string' },
      isbn: { type: 'string' },
      precio: { type: 'number' },
      paginas: { type: 'integer', description: 'número de páginas' },
      anio_publicacion: { type: 'integer', description: 'Año de edición' },
      encuadernacion: { type: 'string' },
      disponible: { type: 'boolean' },
      traductor: { type: 'string' },
    },
  },
  html: (
    item,
  ) => `<!doctype html><html lang="es"><head><title>${item.t} · ${item.a} · Librería El Faro</title></head><body><header><a href="/">Librería El Faro</a> <a href="/carrito">Carrito: 0,00 €</a></header><div id="migas"><a href="/">Inicio</a> &gt; <a href="/literatura">Literatura</a></div>
<div class="ficha"><div class="portada"><img src="/portadas/1.jpg" alt="portada"></div><div class="datos"><h1 id="titulo">${item.t}</h1><h2 id="autor"><a href="/autor/1">${item.a}</a></h2><div class="sinopsis"><p>Una historia para leer despacio, con las ventanas abiertas y el mar al fondo.</p></div>
<div class="infolibro"><p><strong>Editorial:</strong> <a href="/editorial/2">${item.ed}</a></p><p><strong>Año de edición:</strong> ${item.ano}</p><p><strong>ISBN:</strong> ${item.isbn}</p><p><strong>Páginas:</strong> ${item.pag}</p><p><strong>Encuadernación:</strong> ${item.enc}</p></div></div><div class="compra"><span class="pvp">${item.p} €</span> <small>IVA incluido</small><p class="disponibilidad">${item.dis}</p>${item.ok ? '<button>Añadir a la cesta</button>' : '<button>Avísame</button>'}</div></div>
<div class="otros"><h3>Otros libros del autor</h3><ul><li><a href="/l/3">Cuentos de invierno</a> 15,00 €</li><li><a href="/l/4">El faro apagado</a> 17,50 €</li></ul></div></body></html>`,
  expected: (item) => ({
    titulo: item.t,
    autor: item.a,
    editorial: item.ed,
    isbn: item.isbn,
    precio: Number(item.p.replace(',', '.')),
    paginas: item.pag,
    anio_publicacion: item.ano,
    encuadernacion: item.enc,
    disponible: anyOf(item.ok),
    traductor: null,
  }),
});

// A Spanish blog with plain HTML semantics (time, rel=author) and comments that have authors and dates too.
import { anyOf, pagesOf, slug } from '../../labelled-page.ts';

const ITEMS = [
  {
    titulo: 'Cómo cuidar un olivo en maceta',
    autora: 'Lucía Barragán',
    iso: '2026-02-08',
    fecha: '8 de febrero de 2026',
    comentarios: 3,
    categoria: 'Jardín',
  },
  {
    titulo: 'Tres días en bicicleta por la sierra',
    autora: 'Iván Cordero',
    iso: '2025-06-21',
    fecha: '21 de junio de 2025',
    comentarios: 12,
    categoria: 'Viajes',
  },
  {
    titulo: 'Mi primera colmena, un año después',
    autora: 'Lucía Barragán',
    iso: '2025-09-30',
    fecha: '30 de septiembre de 2025',
    comentarios: 7,
    categoria: 'Animales',
  },
  {
    titulo: 'Pan de centeno sin amasar',
    autora: 'Nuria Soler',
    iso: '2026-01-15',
    fecha: '15 de enero de 2026',
    comentarios: 0,
    categoria: 'Cocina',
  },
  {
    titulo: 'Restaurar una puerta de cien años',
    autora: 'Iván Cordero',
    iso: '2025-11-02',
    fecha: '2 de noviembre de 2025',
    comentarios: 21,
    categoria: 'Bricolaje',
  },
];

export const blogEnEspanol = pagesOf({
  kind: 'article',
  name: 'blog-en-espanol',
  items: ITEMS,
  url: ({ titulo, iso }) => `https://lacasadelviento.example/${iso.replaceAll('-', '/')}/${slug(titulo)}.html`,
  schema: {
    type: 'object',
    properties: {
      titulo: { type: 'string' },
      autor: { type: 'string' },
      fecha_publicacion: { type: 'string', format: 'date' },
      categoria: { type: 'string' },
      numero_comentarios: { type: 'integer' },
    },
    required: ['titulo', 'autor', 'fecha_publicacion'],
  },
  html: (
    item,
  ) => `<!doctype html><html lang="es"><head><title>La casa del viento: ${item.titulo}</title><link rel="alternate" type="application/rss+xml" href="/feed"></head><body>
<h1 class="blog-name"><a href="/">La casa del viento</a></h1><p class="tagline">Apuntes de una vida despacio</p>
<main><article class="hentry"><h2 class="entry-title">${item.titulo}</h2><p class="entry-meta">Publicado el <time datetime="${item.iso}">${item.fecha}</time> por <a rel="author" href="/autores/${slug(item.autora)}">${item.autora}</a> en <a rel="category tag" href="/c/${slug(item.categoria)}">${item.categoria}</a></p>
<p>Llevaba meses queriendo escribir sobre esto. No porque sea difícil, sino porque cada vez que lo explico a alguien descubro que yo también lo había entendido a medias.</p><p>Lo primero es la paciencia. Lo segundo, aceptar que la primera vez saldrá mal. Y lo tercero, apuntar lo que se hace, porque la memoria engaña.</p></article>
<section id="comments"><h3>${item.comentarios} comentarios</h3>${
    item.comentarios === 0
      ? '<p>Sé el primero en comentar.</p>'
      : '<ol><li><cite>Marta</cite> <time datetime="2026-03-01">1 de marzo de 2026</time><p>¡Gracias por contarlo!</p></li><li><cite>Paco G.</cite> <time datetime="2026-03-02">2 de marzo de 2026</time><p>A mí me funcionó a la segunda.</p></li></ol>'
  }</section></main><aside><h3>Archivo</h3><ul><li><a href="/2026/01">enero de 2026 (4)</a></li><li><a href="/2025/12">diciembre de 2025 (6)</a></li></ul></aside></body></html>`,
  expected: (item) => ({
    titulo: item.titulo,
    autor: item.autora,
    fecha_publicacion: item.iso,
    categoria: item.categoria,
    numero_comentarios: item.comentarios === 0 ? anyOf(0) : item.comentarios,
  }),
});

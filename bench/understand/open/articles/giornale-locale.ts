// An Italian local newspaper: kicker above the headline, summary, byline "di", date in words, caption of a photograph.
import { anyOf, pagesOf, slug } from '../../labelled-page.ts';

const ITEMS = [
  {
    occhiello: 'Trasporti',
    titolo: 'Il tram torna in centro dopo trent’anni',
    sommario: 'Il primo convoglio partirà a giugno: dieci fermate tra la stazione e il porto.',
    autore: 'Chiara Bonetti',
    data: '9 marzo 2026',
    iso: '2026-03-09',
    min: 4,
  },
  {
    occhiello: 'Cultura',
    titolo: 'Restaurato l’organo della cattedrale',
    sommario: 'Due anni di lavoro e oltre tremila canne smontate, pulite e riaccordate una per una.',
    autore: 'Paolo De Santis',
    data: '21 settembre 2025',
    iso: '2025-09-21',
    min: 6,
  },
];

export const giornaleLocale = pagesOf({
  kind: 'article',
  name: 'giornale-locale',
  items: ITEMS,
  url: ({ titolo }) => `https://ilcorrieredelporto.example/${slug(titolo)}.html`,
  schema: {
    type: 'object',
    properties: {
      headline: { type: 'string' },
      subheadline: { type: 'string', description: 'Summary line below the headline' },
      author: { type: 'string' },
      published: { type: 'string', format: 'date' },
      section: { type: 'string', description: 'The kicker or section of the newspaper' },
      readingTimeMinutes: { type: 'integer' },
      imageCaption: { type: 'string', description: 'Caption of the main photo' },
    },
  },
  html: (
    item,
  ) => `<!doctype html><html lang="it"><head><title>${item.titolo} - Il Corriere del Porto</title></head><body><header><a href="/"><h2>Il Corriere del Porto</h2></a><span>lunedì 16 novembre 2026</span><nav><a href="/cronaca">Cronaca</a><a href="/sport">Sport</a></nav></header>
<article><span class="occhiello">${item.occhiello}</span><h1>${item.titolo}</h1><p class="sommario">${item.sommario}</p><div class="firma">di <a href="/autori/x">${item.autore}</a></div><div class="data-articolo">${item.data} alle 07:15</div><div class="lettura">${item.min} minuti di lettura</div>
<figure><img src="/foto/1.jpg" alt=""><figcaption>Una veduta del porto vecchio (foto Archivio)</figcaption></figure><p>La notizia era nell’aria da mesi, ma soltanto ieri il consiglio ha votato all’unanimità il progetto definitivo che cambierà il volto della città.</p><p>«È un giorno di festa», ha detto il sindaco davanti ai giornalisti.</p></article>
<aside><h3>I più letti</h3><ol><li><a href="/1">Mercato, apre il nuovo padiglione</a> di Anna Russo</li><li><a href="/2">Scuola, tornano le gite</a> di Luca Ferri</li></ol></aside></body></html>`,
  expected: (item) => ({
    headline: item.titolo,
    subheadline: item.sommario,
    author: item.autore,
    published: item.iso,
    section: item.occhiello,
    readingTimeMinutes: item.min,
    imageCaption: anyOf('Una veduta del porto vecchio (foto Archivio)'),
  }),
});

// A Polish bookshop: facts as list items with a bold label, an old price beside the new one.
import { each, pagesOf, slug } from '../../labelled-page.ts';

const ITEMS = [
  {
    tytul: 'Rzeka bez mostów',
    autor: 'Hanna Wilk',
    wydawnictwo: 'Kamienica',
    rok: 2024,
    strony: 312,
    isbn: '978-83-0000-111-1',
    oprawa: 'twarda',
    cena: '44,90 zł',
    liczba: 44.9,
    stara: '59,90 zł',
  },
  {
    tytul: 'Atlas zapomnianych wsi',
    autor: 'Piotr Zaremba',
    wydawnictwo: 'Pogranicze',
    rok: 2025,
    strony: 488,
    isbn: '978-83-0000-222-7',
    oprawa: 'miękka',
    cena: '69,00 zł',
    liczba: 69,
    stara: '79,00 zł',
  },
  {
    tytul: 'Matematyka przy kawie',
    autor: 'Ewa Lis',
    wydawnictwo: 'Liczba',
    rok: 2023,
    strony: 204,
    isbn: '978-83-0000-333-4',
    oprawa: 'miękka',
    cena: '34,50 zł',
    liczba: 34.5,
    stara: '39,90 zł',
  },
  {
    tytul: 'Kuchnia mojej babci',
    autor: 'Zofia Nowicka',
    wydawnictwo: 'Smakosz',
    rok: 2022,
    strony: 256,
    isbn: '978-83-0000-444-0',
    oprawa: 'twarda',
    cena: '1 049,00 zł',
    liczba: 1049,
    stara: '1 200,00 zł',
  },
  {
    tytul: 'Ostatni tramwaj',
    autor: 'Marek Dąb',
    wydawnictwo: 'Kamienica',
    rok: 2026,
    strony: 176,
    isbn: '978-83-0000-555-9',
    oprawa: 'miękka',
    cena: '29,99 zł',
    liczba: 29.99,
    stara: '36,00 zł',
  },
];

export const sklepLista = pagesOf({
  kind: 'shop',
  name: 'sklep-lista',
  items: ITEMS,
  url: ({ tytul }) => `https://ksiegarnia-pod-lipa.example/ksiazka/${slug(tytul)}`,
  schema: {
    type: 'object',
    properties: {
      title: { type: 'string', description: 'Title of the book' },
      author: { type: 'string' },
      publisher: { type: 'string', description: 'wydawnictwo' },
      year: { type: 'integer', description: 'rok wydania' },
      pages: { type: 'integer', description: 'liczba stron' },
      isbn: { type: 'string' },
      binding: { type: 'string', description: 'oprawa' },
      price: { type: 'number', description: 'cena' },
      currency: { type: 'string', description: 'three-letter code' },
    },
    required: ['title', 'price'],
  },
  html: (
    item,
  ) => `<!DOCTYPE html><html lang="pl"><head><title>${item.tytul} - ${item.autor} | Księgarnia pod Lipą</title></head><body><div id="menu"><a href="/">Strona główna</a> <a href="/nowosci">Nowości</a> <a href="/koszyk">Koszyk</a></div>
<div id="tresc"><h1>${item.tytul}</h1><h2 class="autor"><a href="/autor/${slug(item.autor)}">${item.autor}</a></h2><p><del>${item.stara}</del> <b class="cena">${item.cena}</b></p>
<ul class="dane"><li><b>Wydawnictwo:</b> ${item.wydawnictwo}</li><li><b>Rok wydania:</b> ${item.rok}</li><li><b>Liczba stron:</b> ${item.strony}</li><li><b>ISBN:</b> ${item.isbn}</li><li><b>Oprawa:</b> ${item.oprawa}</li></ul>
<p>Książka, o której mówi się w kolejkach i w pociągach. Autorka lub autor prowadzi nas przez miejsca, których nie ma już na mapach, i robi to z czułością, ale bez sentymentu.</p></div>
<div id="podobne"><h3>Podobne książki</h3>${each(
    ITEMS.filter((other) => other !== item).slice(0, 2),
    (other) => `<p><a href="/ksiazka/${slug(other.tytul)}">${other.tytul}</a>, ${other.autor}, ${other.cena}</p>`,
  )}</div></body></html>`,
  expected: (item) => ({
    title: item.tytul,
    author: item.autor,
    publisher: item.wydawnictwo,
    year: item.rok,
    pages: item.strony,
    isbn: item.isbn,
    binding: item.oprawa,
    price: item.liczba,
    currency: 'PLN',
  }),
});

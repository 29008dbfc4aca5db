// An Italian shop with RDFa; a promotion above the product, the guarantee in a table.
import { anyOf, pagesOf, slug } from '../../labelled-page.ts';

const ITEMS = [
  {
    nome: 'Macina caffè manuale',
    marca: 'Officina Etna',
    codice: 'OE-114',
    prezzo: '38,00',
    disponibile: true,
    peso: '620 g',
    garanzia: '24 mesi',
  },
  {
    nome: 'Scarpa in pelle Ravello',
    marca: 'Calzoleria Amalfi',
    codice: 'CA-RAV-42',
    prezzo: '215,00',
    disponibile: true,
    peso: '900 g',
    garanzia: '12 mesi',
  },
  {
    nome: 'Lampada da terra Falena',
    marca: 'Luce Nova',
    codice: 'LN-0098',
    prezzo: '1.450,50',
    disponibile: false,
    peso: '7,4 kg',
    garanzia: '36 mesi',
  },
  {
    nome: 'Set 4 ciotole Terra',
    marca: 'Ceramiche Vietri',
    codice: 'CV-SET4',
    prezzo: '72,90',
    disponibile: true,
    peso: '2,1 kg',
    garanzia: '24 mesi',
  },
  {
    nome: 'Ombrello Tempesta',
    marca: 'Pioggia & Figli',
    codice: 'PF-900',
    prezzo: '54,00',
    disponibile: false,
    peso: '480 g',
    garanzia: '24 mesi',
  },
];

const numberOf = (text: string): number => Number(text.replace('.', '').replace(',', '.'));

export const negozioRdfa = pagesOf({
  kind: 'shop',
  name: 'negozio-rdfa',
  items: ITEMS,
  url: ({ codice, nome }) => `https://bottegaitaliana.example/it/prodotti/${codice}/${slug(nome)}`,
  schema: {
    type: 'object',
    properties: {
      nome: { type: 'string', description: 'Nome del prodotto' },
      marca: { type: 'string' },
      codice: { type: 'string', description: 'Codice articolo' },
      prezzo: { type: 'number' },
      valuta: { type: 'string' },
      disponibile: { type: 'boolean' },
      peso: { type: 'string' },
      garanzia: { type: 'string' },
    },
    required: ['nome', 'prezzo'],
  },
  html: (
    item,
  ) => `<!DOCTYPE html><html lang="it" prefix="schema: http://schema.org/"><head><title>Bottega Italiana :: ${item.nome}</title></head><body>
<div class="promo">Solo oggi: spedizione a 0,99 € invece di 6,99 €</div><ul class="nav"><li><a href="/it/casa">Casa</a></li><li><a href="/it/moda">Moda</a></li><li><a href="/it/offerte">Offerte</a></li></ul>
<div vocab="http://schema.org/" typeof="Product"><h1 property="name">${item.nome}</h1><div property="brand" typeof="Brand">di <span property="name">${item.marca}</span></div>
<p property="description">Un oggetto fatto per durare, disegnato e prodotto in Italia da un piccolo laboratorio di famiglia.</p><span hidden property="sku">${item.codice}</span>
<div property="offers" typeof="Offer"><span property="priceCurrency" content="EUR">€</span> <span property="price" content="${numberOf(item.prezzo)}">${item.prezzo}</span> <link property="availability" href="http://schema.org/${item.disponibile ? 'InStock' : 'SoldOut'}"><em>${item.disponibile ? 'Disponibile' : 'Esaurito'}</em></div></div>
<table class="scheda"><tr><td>Peso</td><td>${item.peso}</td></tr><tr><td>Garanzia</td><td>${item.garanzia}</td></tr><tr><td>Reso</td><td>30 giorni</td></tr></table><footer>P. IVA 00000000000</footer></body></html>`,
  expected: (item) => ({
    nome: item.nome,
    marca: item.marca,
    codice: item.codice,
    prezzo: numberOf(item.prezzo),
    valuta: anyOf('EUR', '€'),
    disponibile: item.disponibile,
    peso: item.peso,
    garanzia: item.garanzia,
  }),
});

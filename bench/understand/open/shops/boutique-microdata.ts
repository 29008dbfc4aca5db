// A French shop with microdata for the product and, outside of it, for a second one that is only recommended.
import { anyOf, pagesOf, slug } from '../../labelled-page.ts';

const ITEMS = [
  {
    nom: 'Théière en fonte Sakura 0,8 L',
    marque: 'Maison Kyoto',
    ean: '3760123450017',
    prix: '49,90',
    stock: 'InStock',
    pays: 'Japon',
    note: '4,7',
    autre: 'Tasse en grès',
    autrePrix: '12,00',
  },
  {
    nom: 'Sac cabas Provence',
    marque: 'Atelier Mistral',
    ean: '3760123450024',
    prix: '139,00',
    stock: 'InStock',
    pays: 'France',
    note: '4,1',
    autre: 'Pochette Provence',
    autrePrix: '39,00',
  },
  {
    nom: 'Bougie figuier 220 g',
    marque: 'Cire & Cie',
    ean: '3760123450031',
    prix: '28,50',
    stock: 'OutOfStock',
    pays: 'France',
    note: '4,9',
    autre: 'Bougie ambre 220 g',
    autrePrix: '28,50',
  },
  {
    nom: 'Couteau de poche Laguiole buis',
    marque: 'Forge du Plateau',
    ean: '3760123450048',
    prix: '1 085,00',
    stock: 'PreOrder',
    pays: 'France',
    note: '4,8',
    autre: 'Étui cuir',
    autrePrix: '32,00',
  },
  {
    nom: 'Carafe soufflée 1 L',
    marque: 'Verrerie du Lac',
    ean: '3760123450055',
    prix: '64,00',
    stock: 'InStock',
    pays: 'Portugal',
    note: '3,8',
    autre: 'Lot de 6 verres',
    autrePrix: '54,00',
  },
];

const numberOf = (text: string): number => Number(text.replace(/\s/g, '').replace(',', '.'));

export const boutiqueMicrodata = pagesOf({
  kind: 'shop',
  name: 'boutique-microdata',
  items: ITEMS,
  url: ({ nom }) => `https://boutique-des-artisans.example/fr/${slug(nom)}`,
  schema: {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: {
      title: { type: 'string', description: 'the name of the product' },
      price: { type: 'number' },
      currency: { type: 'string' },
      manufacturer: { type: 'string', description: 'brand or maker' },
      gtin: { type: 'string', description: 'EAN / barcode' },
      available: { type: 'boolean', description: 'can it be delivered right now?' },
      rating: { type: 'number', description: 'average customer rating' },
      madeIn: { type: 'string', description: 'country of origin, as written on the page' },
    },
    required: ['title', 'price', 'currency'],
    additionalProperties: false,
  },
  html: (
    item,
  ) => `<!doctype html><html lang="fr"><head><title>${item.nom} – La Boutique des Artisans</title></head><body>
<nav class="menu"><ul><li><a href="/fr/cuisine">Cuisine</a></li><li><a href="/fr/mode">Mode</a></li><li><a href="/fr/panier">Panier</a></li></ul></nav>
<aside itemscope itemtype="https://schema.org/Product" class="reco"><p>Le coup de cœur du mois</p><a itemprop="url" href="/fr/${slug(item.autre)}"><span itemprop="name">${item.autre}</span></a>
<span itemprop="offers" itemscope itemtype="https://schema.org/Offer"><span itemprop="price" content="${numberOf(item.autrePrix)}">${item.autrePrix} €</span><meta itemprop="priceCurrency" content="EUR"></span></aside>
<article itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">${item.nom}</h1>
<p>par <span itemprop="brand" itemscope itemtype="https://schema.org/Brand"><a href="/fr/marques"><span itemprop="name">${item.marque}</span></a></span></p><meta itemprop="gtin13" content="${item.ean}">
<div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><span class="prix" itemprop="price" content="${numberOf(item.prix).toFixed(2)}">${item.prix} €</span><meta itemprop="priceCurrency" content="EUR"><link itemprop="availability" href="https://schema.org/${item.stock}"></div>
<p itemprop="aggregateRating" itemscope itemtype="https://schema.org/AggregateRating">Note moyenne : <span itemprop="ratingValue">${item.note}</span>/5 (<span itemprop="ratingCount">31</span> avis)</p>
<p itemprop="description">Fabriqué en petite série par des artisans que nous connaissons et que nous visitons chaque année. Chaque pièce est unique.</p>
<p>Pays de fabrication : ${item.pays}</p><p>Livraison offerte dès 60 € d'achat.</p></article>
<footer>Contact : 04 00 00 00 00</footer></body></html>`,
  expected: (item) => ({
    title: item.nom,
    price: numberOf(item.prix),
    currency: anyOf('EUR', '€'),
    manufacturer: item.marque,
    gtin: item.ean,
    available: item.stock === 'InStock',
    rating: numberOf(item.note),
    madeIn: item.pays,
  }),
});

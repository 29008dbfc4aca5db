// The address of a link often says what its text is: /brands/acme, /author/jane-doe, /category/tools, /venue/town-hall.
import type { HtmlTree } from '../../../../markup/html/html-tree.ts';
import type { PageUrls } from '../../../../markup/html/page-urls.ts';
import { fieldName } from '../field-names.ts';
import type { NamedValues } from '../scope.ts';
import { shortText } from './element-names.ts';

const MAX_TEXT = 80;
const WEIGHT = 0.62;
/** What people and groups of things are called in addresses. */
const SEGMENTS: Readonly<Record<string, string>> = {
  ...{ author: 'author', authors: 'author', autor: 'author', autoren: 'author', auteur: 'author', auteurs: 'author' },
  ...{ autori: 'author', autore: 'author', autores: 'author', profile: 'author', profiles: 'author', people: 'author' },
  ...{
    u: 'author',
    user: 'author',
    users: 'author',
    member: 'author',
    members: 'author',
    staff: 'author',
    by: 'author',
  },
  ...{ contributors: 'author', columnists: 'author', redaktion: 'author', journalist: 'author', writers: 'author' },
  ...{ brand: 'brand', brands: 'brand', marke: 'brand', marken: 'brand', marque: 'brand', marques: 'brand' },
  ...{ marca: 'brand', marcas: 'brand', hersteller: 'brand', manufacturer: 'brand', manufacturers: 'brand' },
  ...{ merk: 'brand', merken: 'brand', vendors: 'brand', vendor: 'brand', marche: 'brand' },
  ...{
    category: 'category',
    categories: 'category',
    kategorie: 'category',
    categorie: 'category',
    ressort: 'category',
  },
  ...{ rubrik: 'category', rubrique: 'category', categoria: 'category', section: 'category', sections: 'category' },
  ...{ 'product-category': 'category', topic: 'category', topics: 'category', thema: 'category', themen: 'category' },
  ...{ genre: 'category', genres: 'category', department: 'category', departments: 'category' },
  ...{ tag: 'tags', tags: 'tags', etiqueta: 'tags', schlagwort: 'tags', keyword: 'tags', keywords: 'tags' },
  ...{ company: 'company', companies: 'company', employer: 'company', employers: 'company', firma: 'company' },
  ...{ unternehmen: 'company', arbeitgeber: 'company', entreprise: 'company', empresa: 'company', empresas: 'company' },
  ...{ venue: 'venue', venues: 'venue', location: 'venue', locations: 'venue', place: 'venue', places: 'venue' },
  ...{ lieu: 'venue', lieux: 'venue', spielstaette: 'venue', ort: 'venue', orte: 'venue', lugar: 'venue' },
  ...{ organizer: 'organizer', organizers: 'organizer', organiser: 'organizer', o: 'organizer', host: 'organizer' },
  ...{ veranstalter: 'organizer', organisateur: 'organizer', organizador: 'organizer' },
  ...{
    artist: 'performers',
    artists: 'performers',
    performer: 'performers',
    kuenstler: 'performers',
    artiste: 'performers',
  },
  ...{ seller: 'seller', sellers: 'seller', shop: 'seller', shops: 'seller', haendler: 'seller', dealer: 'seller' },
  ...{ cuisine: 'cuisine', cuisines: 'cuisine', course: 'category', publisher: 'publisher', verlag: 'publisher' },
  ...{ city: 'city', cities: 'city', stadt: 'city', ville: 'city', ciudad: 'city' },
};

export function linkNames(tree: HtmlTree, node: number, urls: PageUrls, weight: number): NamedValues[] {
  const name = nameOfAddress(tree.attribute(node, 'href'));
  if (name === undefined) return [];
  const value = shortText(tree, node, MAX_TEXT);
  const href = urls.resolve(tree.attribute(node, 'href'));
  return value
    ? [{ name: fieldName(name), values: [{ value, ...(href !== undefined && { href }) }], weight: WEIGHT * weight }]
    : [];
}

/** The last telling folder of an address, if something stands below it. */
export function nameOfAddress(href: string | undefined): string | undefined {
  if (href === undefined || href.length > 500) return undefined;
  const segments = href
    .replace(/^[a-z]+:\/\/[^/]*/i, '')
    .replace(/[?#].*$/, '')
    .split('/')
    .filter((segment) => segment !== '')
    .slice(0, 8);
  for (const segment of segments.slice(0, -1).toReversed()) {
    const key = segment.toLowerCase();
    if (Object.hasOwn(SEGMENTS, key)) return SEGMENTS[key];
  }
  return undefined;
}

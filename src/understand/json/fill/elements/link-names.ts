// The address of a link often says what its text is: /brands/acme, /author/jane-doe, /category/tools, /venue/town-hall.
import type { HtmlTree } from '../../../../markup/html/html-tree.ts';
import type { PageUrls } from '../../../../markup/html/page-urls.ts';
import { fieldName } from '../field-names.ts';
import type { NamedValues } from '../scope.ts';
import { shortText } from './element-names.ts';

const MAX_TEXT = 80;
const WEIGHT = 0.62;
/** What people and groups of things are called in addresses. */
const MEANINGS: Readonly<Record<string, string>> = {
  author:
    'author authors autor autoren auteur auteurs autori autore autores profile profiles u user users member members staff contributors columnists redaktion journalist writers',
  brand:
    'brand brands marke marken marque marques marca marcas hersteller manufacturer manufacturers merk merken vendor vendors marche',
  category:
    'category categories kategorie categorie ressort rubrik rubrique rubriek categoria section sections product-category topic topics thema themen genre genres department departments',
  tags: 'tag tags etiqueta schlagwort keyword keywords',
  company: 'company companies employer employers firma unternehmen arbeitgeber entreprise empresa empresas',
  venue: 'venue venues lieu lieux spielstaette ort orte lugar',
  organizer: 'organizer organizers organiser organisers veranstalter organisateur organizador',
  performers: 'artist artists performer performers kuenstler artiste artistes artista artistas',
  seller: 'seller sellers haendler dealer dealers',
  cuisine: 'cuisine cuisines',
  publisher: 'publisher publishers verlag editorial',
  city: 'city cities stadt ville ciudad',
};
const SEGMENTS: ReadonlyMap<string, string> = new Map(
  Object.entries(MEANINGS).flatMap(([meaning, words]) => words.split(' ').map((word) => [word, meaning] as const)),
);

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
    const name = SEGMENTS.get(segment.toLowerCase());
    if (name !== undefined) return name;
  }
  return undefined;
}

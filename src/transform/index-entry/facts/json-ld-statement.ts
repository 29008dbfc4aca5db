// What the page's JSON-LD states about the main entity of the page: its type, its date and its image.
import type { HtmlTree } from '../../../markup/html/html-tree.ts';
import { TAG } from '../../../markup/html/tags.ts';
import { pageAddress } from '../anchor-texts.ts';

interface Statement {
  types: string[];
  published?: string;
  image?: string;
}

type Properties = Record<string, unknown>;

const MAX_SCRIPTS = 20;
const MAX_CHARS = 300_000;
const MAX_STEPS = 300;
const MAX_TYPES = 10;
const WORK = /(?:Article|Posting|Report|Recipe|Review|Book|Dataset|VideoObject|HowTo|Course|Question|Podcast\w{0,20})$/;
const PAGE = /Page$/;

/** `isOwn` recognises URLs of the page itself. */
export function mainStatement(tree: HtmlTree, isOwn: (url: string) => boolean): Statement | undefined {
  const works: Properties[] = [];
  const pages: Properties[] = [];
  for (const item of statedItems(tree)) {
    const types = typesOf(item);
    if (types.some((type) => WORK.test(type))) works.push(item);
    else if (types.some((type) => PAGE.test(type))) pages.push(item);
  }
  const isAboutThis = (item: Properties) => addressesOf(item).some(isOwn);
  // Several works, none of which has the URL of this page, are a list.
  const work = works.length === 1 ? works[0] : works.find(isAboutThis);
  const chosen = work ?? pages.find(isAboutThis) ?? (pages.length === 1 ? pages[0] : undefined);
  return chosen && readStatement(chosen);
}

/** Items at the top level, in a graph, or named as main entity. All others are parts of those. */
function* statedItems(tree: HtmlTree): Generator<Properties> {
  const open: unknown[] = statedValues(tree).reverse();
  for (let steps = 0; open.length > 0 && steps < MAX_STEPS; steps++) {
    const value = open.pop();
    if (Array.isArray(value)) open.push(...value.slice(0, MAX_STEPS).reverse());
    else if (isObject(value)) {
      yield value;
      open.push(value.mainEntity, value['@graph']);
    }
  }
}

function statedValues(tree: HtmlTree): unknown[] {
  const values: unknown[] = [];
  for (let node = 1; node < tree.size && values.length < MAX_SCRIPTS; node++) {
    if (tree.tag[node] !== TAG.script || tree.end[node] !== node + 2) continue;
    if (tree.attribute(node, 'type')?.trim().toLowerCase() !== 'application/ld+json') continue;
    const source = tree.text(node + 1);
    if (source.length > MAX_CHARS) continue;
    try {
      // Raw line breaks inside strings are the most common error; elsewhere they are white space.
      values.push(JSON.parse(source.replace(/[\u0000-\u001f]+/g, ' ')));
    } catch {
      // Invalid JSON is ignored.
    }
  }
  return values;
}

function readStatement(item: Properties): Statement {
  const published = [item.datePublished, item.uploadDate, item.dateCreated].find((date) => typeof date === 'string');
  const image = imageOf(item.image) ?? imageOf(item.thumbnailUrl);
  return {
    types: typesOf(item),
    ...(typeof published === 'string' && { published }),
    ...(image !== undefined && { image }),
  };
}

function imageOf(value: unknown): string | undefined {
  const first = Array.isArray(value) ? value[0] : value;
  const url = isObject(first) ? (first.url ?? first.contentUrl) : first;
  return typeof url === 'string' ? url : undefined;
}

function typesOf(item: Properties): string[] {
  const types = Array.isArray(item['@type']) ? item['@type'].slice(0, MAX_TYPES) : [item['@type']];
  return types.filter((type) => typeof type === 'string').map((type) => type.slice(type.lastIndexOf('/') + 1, 100));
}

function addressesOf({ url, '@id': id, mainEntityOfPage: page }: Properties): string[] {
  const given = [url, id, isObject(page) ? page['@id'] : page];
  return given.flatMap((value) => (typeof value === 'string' ? (pageAddress(value) ?? []) : []));
}

const isObject = (value: unknown): value is Properties =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

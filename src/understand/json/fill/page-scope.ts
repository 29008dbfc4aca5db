// A whole page as named values: what its data, labels, markup and text say about its subject, the most reliable first.

import type { HtmlTree } from '../../../markup/html/html-tree.ts';
import { createPageUrls, type PageUrls } from '../../../markup/html/page-urls.ts';
import { TAG } from '../../../markup/html/tags.ts';
import { pageTree } from '../../../markup/page-tree/page-tree.ts';
import type { DataItem, DataTable, StructuredData } from '../../../page/structured-data.ts';
import type { PageSource } from '../../../page/understanding.ts';
import { findAmount } from '../values/read-number.ts';
import { aroundTitle } from './elements/around-title.ts';
import { elementNames, regionWeights, shortText } from './elements/element-names.ts';
import { lineFacts } from './elements/text-lines.ts';
import { textNames } from './elements/text-names.ts';
import { embeddedObjects } from './embedded-objects.ts';
import { type FieldName, fieldName, nameMatch } from './field-names.ts';
import { itemScope, listMembers } from './item-scope.ts';
import { mainItem } from './main-item.ts';
import { asItem, labelled, recordScope, rowScopes } from './record-scope.ts';
import { type FillScope, isItem, type NamedValues, type ScopeGroup, standingIn } from './scope.ts';
import { markdownRecords } from './text/markdown-records.ts';
import { plainText, textSections } from './text/markdown-sections.ts';
import { factsIn } from './text/short-facts.ts';
import { bareTableRows } from './text/text-rows.ts';

const EMPTY: StructuredData = { items: [], meta: {}, tables: [], pairs: [], records: [], parts: [], embedded: [] };
const MAX_GROUPS = 40;
const MAX_NAMED_ROWS = 200;
const MAX_CELL_NAME = 80;

/** `wanted`: the names that the schema asks for, by which the subject of the page is found. */
export function pageScope(
  source: PageSource,
  wanted: readonly FieldName[],
  { isList }: { isList: boolean },
): FillScope {
  const data = source.data ?? EMPTY;
  const byId = new Map(data.items.flatMap((item) => (item.id === undefined ? [] : [[item.id, item] as const])));
  const tree = pageTree(source.html ?? '');
  const weights = regionWeights(tree);
  const title = data.subject?.title ?? data.meta['og:title'] ?? source.title;
  const main = mainItem(data.items, byId, wanted, title);
  const embedded = embeddedObjects(data.embedded.map(({ value }) => value));
  const state = bestObject(embedded.objects, wanted);
  const sections = textSections(source.markdown);
  const urls = createPageUrls(tree, source.url);
  return {
    named: [
      ...standingIn('item', main ? itemScope(main, byId, main.syntax === 'json-ld' ? 1 : 0.97).named : []),
      ...standingIn('state', state ? itemScope(asItem(state), byId, 0.8).named : []),
      ...standingIn('pair', [...data.pairs.map((pair) => labelled(pair, 0.85)), ...data.tables.flatMap(cellNames)]),
      ...standingIn('element', elementNames(tree, urls, weights)),
      ...standingIn('text', [
        ...lineFacts(tree, weights),
        ...textNames(tree, urls, weights),
        ...aroundTitle(tree, urls, title, weights),
        ...sections.named,
      ]),
      ...standingIn('meta', [...metaNames(data.meta), ...breadcrumbs(data.items)]),
      ...standingIn('title', [
        ...pageNames(source, title, sections.firstParagraph),
        // The heading of a list says what it lists.
        ...(isList && title ? [{ name: fieldName('category'), values: [{ value: title }], weight: 0.5 }] : []),
      ]),
    ],
    groups: () => pageGroups(data, main, byId, embedded.lists, source, linkTexts(tree, urls)),
  };
}

/** A cell is named by its row and its column: "max_jobs" and "Default". */
function cellNames({ header, rows }: DataTable): NamedValues[] {
  if (header.length < 3) return [];
  return rows.slice(0, MAX_NAMED_ROWS).flatMap(([label, ...cells]) =>
    cells.flatMap((value, at) => {
      const name = `${label} ${header[at + 1]}`;
      const isNamed = label !== '' && header[at + 1] && value !== '' && name.length <= MAX_CELL_NAME;
      return isNamed ? [{ name: fieldName(name), values: [{ value }], weight: 0.85 }] : [];
    }),
  );
}

/** Addresses by the text of their links, the first of each. */
function linkTexts(tree: HtmlTree, urls: PageUrls): Map<string, string> {
  const links = new Map<string, string>();
  for (let node = 1; node < tree.size; node++) {
    if (tree.tag[node] !== TAG.a || tree.end[node]! - node > 20) continue;
    const text = shortText(tree, node, 200);
    const href = urls.resolve(tree.attribute(node, 'href'));
    if (text && href !== undefined && !links.has(text)) links.set(text, href);
  }
  return links;
}

const META: readonly (readonly [name: string, meta: string[]])[] = [
  ['name', ['og:title', 'twitter:title']],
  ['description', ['description', 'og:description', 'twitter:description']],
  ['image', ['og:image', 'og:image:url', 'og:image:secure_url', 'twitter:image']],
  ['url', ['og:url', 'canonical']],
  ['publisher', ['og:site_name', 'application-name']],
  ['author', ['author', 'article:author', 'parsely-author', 'dc.creator', 'sailthru.author']],
  [
    'date published',
    [
      'article:published_time',
      'og:published_time',
      'date',
      'dc.date',
      'dc.date.issued',
      'parsely-pub-date',
      'pubdate',
      'publish-date',
      'citation_publication_date',
    ],
  ],
  ['date modified', ['article:modified_time', 'og:updated_time', 'last-modified', 'lastmod']],
  ['category', ['article:section', 'parsely-section', 'product:category']],
  ['tags', ['keywords', 'article:tag', 'news_keywords', 'parsely-tags']],
  ['price', ['product:price:amount', 'og:price:amount', 'product:sale_price:amount']],
  ['currency', ['product:price:currency', 'og:price:currency']],
  ['availability', ['product:availability', 'og:availability']],
  ['brand', ['product:brand', 'og:brand']],
  ['sku', ['product:retailer_item_id']],
  ['condition', ['product:condition']],
  ['language', ['og:locale', 'language', 'content-language']],
];

function metaNames(meta: Record<string, string>): NamedValues[] {
  return META.flatMap(([name, keys]) => {
    const key = keys.find((each) => meta[each]);
    if (key === undefined) return [];
    const value = meta[key]!;
    return [
      { name: fieldName(name), values: [{ value, ...(/^https?:/.test(value) && { href: value }) }], weight: 0.7 },
    ];
  });
}

/** The last step but one is the category of the page. */
function breadcrumbs(items: readonly DataItem[]): NamedValues[] {
  const trail = items.find(({ types }) => types.includes('BreadcrumbList'));
  const names = (trail ? (listMembers(trail, new Map()) ?? []) : []).flatMap(({ properties }) =>
    typeof properties.name?.[0] === 'string' ? [{ value: properties.name[0] }] : [],
  );
  if (names.length === 0) return [];
  const category = names.at(-2);
  return [
    { name: fieldName('breadcrumbs'), values: names, weight: 0.9 },
    ...(category ? [{ name: fieldName('category'), values: [category], weight: 0.55 }] : []),
  ];
}

function pageNames(source: PageSource, title: string | undefined, firstParagraph: string | undefined): NamedValues[] {
  const said = (name: string, value: string | undefined, weight: number): NamedValues[] =>
    value ? [{ name: fieldName(name), values: [{ value }], weight }] : [];
  const top = topOf(source.markdown, title);
  const amount = findAmount(plainText(top));
  return [
    ...said('name', title, 0.8),
    ...(source.html ? [] : factsIn(plainLines(source.markdown.slice(0, MAX_DOCUMENT)), 0.7)),
    ...said('description', firstParagraph, 0.5),
    ...said('body', source.markdown ? plainLines(source.markdown) : undefined, 0.5),
    ...said('price', amount, 0.5),
    ...said('currency', amount, 0.5),
    ...said('language', source.language, 0.75),
    { name: fieldName('url'), values: [{ value: source.url, href: source.url }], weight: 0.6 },
  ];
}

const TOP = 3_000;
const MAX_DOCUMENT = 60_000;
const topOf = (markdown: string, title: string | undefined): string => {
  const at = title === undefined ? 0 : Math.max(0, markdown.indexOf(title));
  return markdown.slice(at, at + TOP);
};

const plainLines = (markdown: string): string =>
  markdown
    .split('\n')
    .map((line) => plainText(line.replace(/^#{1,6}\s|^\s*[-*+]\s/, '')))
    .filter((line) => line !== '')
    .join('\n');

/** The object of embedded data that has the most of what is asked for, if it has much of it. */
function bestObject(objects: readonly object[], wanted: readonly FieldName[]): object | undefined {
  let best: { object: object; score: number } | undefined;
  const names = new Map<string, FieldName>();
  for (const object of objects) {
    let score = 0;
    const keys = Object.keys(object)
      .slice(0, 100)
      .map((key) => {
        const name = names.get(key) ?? fieldName(key);
        names.set(key, name);
        return name;
      });
    for (const name of wanted) if (keys.some((key) => nameMatch(name, key) > 0.7)) score += 1;
    if (score > (best?.score ?? 0)) best = { object, score };
  }
  return best && best.score >= Math.min(3, wanted.length) ? best.object : undefined;
}

function pageGroups(
  data: StructuredData,
  main: DataItem | undefined,
  byId: ReadonlyMap<string, DataItem>,
  lists: readonly { name: string; objects: object[] }[],
  source: PageSource,
  links: ReadonlyMap<string, string>,
): ScopeGroup[] {
  const scopesOf = (items: readonly DataItem[], weight: number) => items.map((item) => itemScope(item, byId, weight));
  const itemLists = data.items.flatMap((item): ScopeGroup[] => {
    const members = item.types.includes('BreadcrumbList') ? undefined : listMembers(item, byId);
    return members && members.length > 0 ? [{ scopes: scopesOf(members, 1), weight: 1 }] : [];
  });
  const alike = [
    ...Map.groupBy(
      data.items.filter((item) => item !== main || data.items.length > 1),
      ({ types }) => types.join(' '),
    ),
  ]
    .filter(([type, items]) => type !== '' && items.length > 1)
    .map(([type, items]): ScopeGroup => ({ name: fieldName(type), scopes: scopesOf(items, 1), weight: 0.95 }));
  const nested = main ? itemScope(main, byId).groups() : [];
  return [
    ...nested,
    ...itemLists,
    ...alike,
    ...lists.map(
      ({ name, objects }): ScopeGroup => ({
        name: fieldName(name),
        scopes: objects.map((object) => itemScope(asItem(object), byId, 0.85)),
        weight: 0.85,
      }),
    ),
    ...data.tables
      .filter(({ header }) => header.length > 1)
      .map(
        (table): ScopeGroup => ({
          ...(table.caption !== undefined && { name: fieldName(table.caption) }),
          scopes: rowScopes(table, links),
          weight: 0.9,
        }),
      ),
    ...bareTableRows(data.tables),
    ...data.records.map((records): ScopeGroup => ({ scopes: records.map(recordScope), weight: 0.85 })),
    ...markdownRecords(source).map((records): ScopeGroup => ({ scopes: records.map(recordScope), weight: 0.7 })),
  ].slice(0, MAX_GROUPS);
}

export const hasItems = (scope: NamedValues): boolean => scope.values.some(({ value }) => isItem(value));

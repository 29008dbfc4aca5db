// What the markup itself calls its parts: classes, ids, `rel`, `<time>`, links to mail and telephone.
import type { HtmlTree } from '../../../../markup/html/html-tree.ts';
import { ELEMENT, TEXT } from '../../../../markup/html/html-tree.ts';
import type { PageUrls } from '../../../../markup/html/page-urls.ts';
import { isBlock, isHeading, isInvisible, TAG, tagSet } from '../../../../markup/html/tags.ts';
import { isSetApart } from '../../../../markup/labels/set-apart.ts';
import { type FieldName, fieldName } from '../field-names.ts';
import type { NamedValues, RawValue } from '../scope.ts';

const MAX_TEXT = 400;
/** Longer texts of elements with several named parts are not one value. */
const MAX_VALUE = 60;
const MAX_ELEMENTS = 20_000;
const MAX_VALUES = 200;
const MAX_NODES = 80;
const MAX_NAMES = 2_000;
const MAX_LEVELS = 40;
const MAX_HEADER = 1_000;
/** What is said here is about the site, other things or by other people. */
const isAside = tagSet('nav footer aside form');
const ASIDE =
  /(?:^|[-_\s])(?:related|recommend\w*|similar|sidebar|also|upsell|cross-?sell|comments?|replies|widget|promo|newsletter|cookie\w*|menu|nav|footer|popular|trending|teaser|reco|auch|suggest\w*|more|other)(?:$|[-_\s])/i;
const ASIDE_HEADING =
  /\b(?:also|related|similar|recommended|recommendations|you\smay|you\smight|read\snext|up\snext|more\s(?:from|like|in|on|stories|articles|products|recipes|events)|other\s(?:events|nights|shows|products|articles|recipes)|latest|most\s(?:read|popular)|recently\sviewed|trending|comments?|reviews|kommentare|kundenbewertungen|ähnliche|auch|weitere|mehr\s(?:zum|aus|von)|andere|à\slire|aussi|similaires|articles\sliés|también|relacionad[oa]s|más\s(?:de|sobre|leíd[oa]s)|otros|otras)\b/iu;
const ASIDE_WEIGHT = 0.4;
const MAX_ASIDE_SHARE = 0.4;
const isStruck = tagSet('del s strike');

/** For each node, how far it can be trusted to be about the page's subject. */
export function regionWeights(tree: HtmlTree): Float32Array {
  const weights = new Float32Array(tree.size).fill(1);
  const [classNumber, idNumber] = [tree.attributeNumber('class'), tree.attributeNumber('id')];
  for (let node = 1; node < tree.size; node++) {
    weights[node] = Math.min(weights[node]!, weights[tree.parent[node]!]!);
    if (tree.kind[node] !== ELEMENT || weights[node] !== 1 || tree.tag[node] === TAG.body) continue;
    const names = `${tree.attributeAt(node, classNumber) ?? ''} ${tree.attributeAt(node, idNumber) ?? ''}`;
    const size = tree.end[node]! - node;
    // What holds much of the page is the page, however it is called.
    const canBeAside = size > 2 && size < tree.size * MAX_ASIDE_SHARE;
    if (isAside(tree.tag[node]!) || isSiteHeader(tree, node) || (canBeAside && names.length < 300 && ASIDE.test(names)))
      weights[node] = ASIDE_WEIGHT;
    else if (isHeading(tree.tag[node]!)) markAside(tree, node, weights);
  }
  return weights;
}

/** The head of the site, which is not that of an article, does not contain its heading. */
function isSiteHeader(tree: HtmlTree, node: number): boolean {
  if (tree.tag[node] !== TAG.header) return false;
  for (let at = tree.parent[node]!, level = 0; at > 0 && level < MAX_LEVELS; at = tree.parent[at]!, level++) {
    if (tree.tag[at] === TAG.main || tree.tag[at] === TAG.article || tree.tag[at] === TAG.section) return false;
  }
  const end = Math.min(tree.end[node]!, node + MAX_HEADER);
  for (let at = node + 1; at < end; at++) if (tree.tag[at] === TAG.h1) return false;
  return true;
}

/** What follows "You may also like", up to the next heading beside it. */
function markAside(tree: HtmlTree, heading: number, weights: Float32Array): void {
  const text = shortText(tree, heading, 100);
  if (!text || !ASIDE_HEADING.test(text)) return;
  const end = tree.end[tree.parent[heading]!]!;
  for (let node = tree.end[heading]!; node < end; node = tree.end[node]!) {
    if (isHeading(tree.tag[node]!) && tree.tag[node]! <= tree.tag[heading]!) return;
    weights.fill(ASIDE_WEIGHT, node, tree.end[node]!);
  }
}

/** Visible text of an element, with spaces between blocks; undefined if it is too long to be one value. */
export function shortText(tree: HtmlTree, node: number, max = MAX_TEXT): string | undefined {
  let text = '';
  const end = tree.end[node]!;
  for (let at = node; at < end; at++) {
    if (tree.kind[at] === TEXT) {
      if (isSetApart(tree, at, text)) text += ' ';
      text += isCents(tree, at, text) ? `.${tree.text(at).trim()}` : tree.text(at);
    } else if ((isInvisible(tree.tag[at]!) || isStruck(tree.tag[at]!)) && at > node) at = tree.end[at]! - 1;
    else if (isBlock(tree.tag[at]!) || tree.tag[at] === TAG.br) text += ' ';
    if (text.length > max * 4) return undefined;
  }
  const tidy = text.replace(/[\s\p{Co}]+/gu, ' ').trim();
  return tidy.length > max ? undefined : tidy;
}

/** Shops set the cents small: "$349" and "99". */
const isCents = (tree: HtmlTree, node: number, before: string): boolean =>
  tree.tag[tree.parent[node]!] === TAG.sup && /\d$/.test(before) && /^\s*\d\d\s*$/.test(tree.text(node));

export function elementNames(tree: HtmlTree, urls: PageUrls, weights: Float32Array): NamedValues[] {
  const found = new Map<string, { name: FieldName; values: RawValue[]; weight: number }>();
  const names = new Map<string, FieldName>();
  const prefixes = sharedPrefixes(tree);
  const add = (given: string, value: RawValue, weight: number) => {
    const label = withoutPrefix(given, prefixes);
    const key = `${weight} ${label}`;
    const entry = found.get(key);
    if (entry) {
      if (entry.values.length < MAX_VALUES) entry.values.push(value);
      return;
    }
    const name = names.get(label) ?? fieldName(label);
    names.set(label, name);
    found.set(key, { name, values: [value], weight });
  };
  let count = 0;
  for (let node = 1; node < tree.size && count < MAX_ELEMENTS; node++) {
    if (tree.kind[node] !== ELEMENT || tree.end[node]! - node > MAX_NODES || isInvisible(tree.tag[node]!)) continue;
    const labels = labelsOf(tree, node);
    if (labels.length === 0) continue;
    count += 1;
    const values = valuesOf(tree, node, urls);
    if (values.length === 0) continue;
    const isContainer = namedParts(tree, node) > 2 && values.some(({ value }) => String(value).length > MAX_VALUE);
    const weight = weights[node]! * (isContainer ? 0.45 : 0.75);
    for (const label of labels) for (const value of values) add(label, value, weight);
    if (tree.tag[node] === TAG.a) for (const label of labels.slice(0, 3)) add(`${label} link`, values[0]!, weight);
  }
  // A text in every card of a list is rarely the subject of the page.
  return [...found.values()].map((each) => ({ ...each, weight: each.weight * (each.values.length > 3 ? 0.85 : 1) }));
}

const MIN_SHARED = 4;

/** The first words of many different classes name a theme or a plug-in, not a part: `tribe-region`, `wprm-recipe-name`. */
function sharedPrefixes(tree: HtmlTree): ReadonlySet<string> {
  const classNumber = tree.attributeNumber('class');
  const names = new Set<string>();
  for (let node = 1; node < tree.size && names.size < MAX_NAMES; node++) {
    const value = tree.kind[node] === ELEMENT ? tree.attributeAt(node, classNumber) : undefined;
    if (value !== undefined && value.length < 300) for (const name of value.split(/\s+/)) names.add(name);
  }
  const counts = new Map<string, number>();
  for (const name of names) {
    const prefix = /^[a-z\d]+(?=[-_])/i.exec(name)?.[0];
    if (prefix !== undefined) counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
  }
  return new Set([...counts].filter(([, count]) => count >= MIN_SHARED).map(([prefix]) => prefix));
}

function withoutPrefix(label: string, prefixes: ReadonlySet<string>): string {
  const prefix = /^([a-z\d]+)[-_]+(?=.)/i.exec(label);
  return prefix && prefixes.has(prefix[1]!) ? label.slice(prefix[0].length) : label;
}

function namedParts(tree: HtmlTree, node: number): number {
  const number = tree.attributeNumber('class');
  if (tree.tag[node] === TAG.ul || tree.tag[node] === TAG.ol) return 0;
  let count = 0;
  for (let at = node + 1; at < tree.end[node]!; at++) if (tree.attributeAt(at, number) !== undefined) count += 1;
  return count;
}

function labelsOf(tree: HtmlTree, node: number): string[] {
  const labels: string[] = [];
  for (const attribute of ['itemprop', 'rel', 'data-testid', 'data-test', 'data-qa', 'data-field', 'id', 'class']) {
    const value = tree.attribute(node, attribute);
    if (value !== undefined && value.length < 300) labels.push(...value.split(/\s+/).filter((part) => part.length > 1));
  }
  const tag = tree.tag[node];
  if (tag === TAG.time) labels.push('date');
  if (isStruck(tag!)) labels.push('original price');
  if (tag === TAG.address) labels.push('address');
  if (tag === TAG.a) {
    const href = tree.attribute(node, 'href') ?? '';
    if (/^mailto:/i.test(href)) labels.push('email');
    if (/^tel:/i.test(href)) labels.push('phone');
  }
  return labels.slice(0, 12);
}

/** Microformats write dates for programs into the title of an abbreviation. */
const machineDate = (title: string | undefined): string | undefined =>
  title !== undefined && /^\d{4}-\d\d-\d\d/.test(title) ? title : undefined;

function valuesOf(tree: HtmlTree, node: number, urls: PageUrls): RawValue[] {
  const tag = tree.tag[node];
  if (tag === TAG.ul || tag === TAG.ol) {
    const items: RawValue[] = [];
    for (let at = node + 1; at < tree.end[node]!; at++) {
      const text = tree.tag[at] === TAG.li ? shortText(tree, at, 1_000) : undefined;
      if (text) items.push({ value: text });
    }
    return items;
  }
  if (tag === TAG.img) {
    const src = tree.attribute(node, 'src') ?? tree.attribute(node, 'data-src');
    const href = src === undefined ? undefined : urls.resolve(src);
    return href === undefined ? [] : [{ value: tree.attribute(node, 'alt') ?? href, href }];
  }
  const title = tag === TAG.abbr ? tree.attribute(node, 'title') : undefined;
  const machine = tree.attribute(node, 'datetime') ?? tree.attribute(node, 'content') ?? machineDate(title);
  const text = machine || shortText(tree, node);
  if (!text) return [];
  const link = tag === TAG.a ? tree.attribute(node, 'href') : undefined;
  const href = link === undefined ? undefined : urls.resolve(link);
  return [{ value: text, ...(href !== undefined && { href }) }];
}

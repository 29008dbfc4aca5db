// What the markup itself calls its parts: classes, ids, `rel`, `<time>`, links to mail and telephone.
import type { HtmlTree } from '../../../markup/html/html-tree.ts';
import { ELEMENT, TEXT } from '../../../markup/html/html-tree.ts';
import type { PageUrls } from '../../../markup/html/page-urls.ts';
import { isBlock, isInvisible, TAG, tagSet } from '../../../markup/html/tags.ts';
import { type FieldName, fieldName } from './field-names.ts';
import type { NamedValues, RawValue } from './scope.ts';

const MAX_TEXT = 400;
const MAX_ELEMENTS = 20_000;
const MAX_VALUES = 200;
const MAX_NODES = 80;
/** What is said here is about the site, other things or by other people. */
const isAside = tagSet('nav footer aside form');
const ASIDE =
  /(?:^|[-_\s])(?:related|recommend\w*|similar|sidebar|also|upsell|cross-?sell|comments?|replies|widget|promo|newsletter|cookie\w*|menu|nav|footer|popular|trending|teaser|reco|auch|suggest\w*|more|other|next|prev\w*)(?:$|[-_\s])/i;
const ASIDE_WEIGHT = 0.4;

/** For each node, how far it can be trusted to be about the page's subject. */
export function regionWeights(tree: HtmlTree): Float32Array {
  const weights = new Float32Array(tree.size).fill(1);
  const [classNumber, idNumber] = [tree.attributeNumber('class'), tree.attributeNumber('id')];
  for (let node = 1; node < tree.size; node++) {
    weights[node] = weights[tree.parent[node]!]!;
    if (tree.kind[node] !== ELEMENT || weights[node] !== 1 || tree.tag[node] === TAG.body) continue;
    const names = `${tree.attributeAt(node, classNumber) ?? ''} ${tree.attributeAt(node, idNumber) ?? ''}`;
    const isLarge = tree.end[node]! - node > 2;
    if (isAside(tree.tag[node]!) || (isLarge && names.length < 300 && ASIDE.test(names))) weights[node] = ASIDE_WEIGHT;
  }
  return weights;
}

/** Visible text of an element, with spaces between blocks; undefined if it is too long to be one value. */
export function shortText(tree: HtmlTree, node: number, max = MAX_TEXT): string | undefined {
  let text = '';
  const end = tree.end[node]!;
  for (let at = node; at < end; at++) {
    if (tree.kind[at] === TEXT) text += tree.text(at);
    else if (isInvisible(tree.tag[at]!) && at > node) at = tree.end[at]! - 1;
    else if (isBlock(tree.tag[at]!) || tree.tag[at] === TAG.br) text += ' ';
    if (text.length > max * 4) return undefined;
  }
  const tidy = text.replace(/\s+/g, ' ').trim();
  return tidy.length > max ? undefined : tidy;
}

export function elementNames(tree: HtmlTree, urls: PageUrls, weights: Float32Array): NamedValues[] {
  const found = new Map<string, { name: FieldName; values: RawValue[]; weight: number }>();
  const names = new Map<string, FieldName>();
  const add = (label: string, value: RawValue, weight: number) => {
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
    for (const label of labels) for (const value of values) add(label, value, weights[node]! * 0.75);
  }
  return [...found.values()];
}

function labelsOf(tree: HtmlTree, node: number): string[] {
  const labels: string[] = [];
  for (const attribute of ['itemprop', 'rel', 'data-testid', 'data-test', 'data-field', 'id', 'class']) {
    const value = tree.attribute(node, attribute);
    if (value !== undefined && value.length < 300) labels.push(...value.split(/\s+/).filter((part) => part.length > 1));
  }
  const tag = tree.tag[node];
  if (tag === TAG.time) labels.push('date');
  if (tag === TAG.address) labels.push('address');
  if (tag === TAG.a) {
    const href = tree.attribute(node, 'href') ?? '';
    if (/^mailto:/i.test(href)) labels.push('email');
    if (/^tel:/i.test(href)) labels.push('phone');
  }
  return labels.slice(0, 12);
}

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
  const machine = tree.attribute(node, 'datetime') ?? tree.attribute(node, 'content');
  const text = machine || shortText(tree, node);
  if (!text) return [];
  const link = tag === TAG.a ? tree.attribute(node, 'href') : undefined;
  const href = link === undefined ? undefined : urls.resolve(link);
  return [{ value: text, ...(href !== undefined && { href }) }];
}

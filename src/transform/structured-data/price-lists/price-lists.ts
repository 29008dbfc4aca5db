// Price lists of a page, such as menus, as records: dotted lines, list items, definition lists, tables, cards. What tells
// them is the price at the end of a line, again and again.
import type { HtmlTree } from '../../../markup/html/html-tree.ts';
import { DROPPED, type Mask } from '../../../markup/html/node-mask.ts';
import type { PageUrls } from '../../../markup/html/page-urls.ts';
import { TAG } from '../../../markup/html/tags.ts';
import type { LabelledValue, ListPrice, PageRecord } from '../../../page/structured-data.ts';
import { type Entry, entriesOf } from './entries.ts';
import { type PricedLine, pricedLines } from './priced-lines.ts';

const MIN_ENTRIES = 3;
const MAX_ENTRIES = 2_000;
const MAX_NAME = 150;
const MAX_DESCRIPTION = 1_000;
const DASH = /\s[–—-]\s|:\s/u;
/** Letters and numbers of allergens and diets. */
const CODE = /(?:\p{Lu}|\p{Lu}{2}|\p{Lu}?\d{1,2}\*?)/u.source;
const CODES = new RegExp(`^[([]?${CODE}(?:[,./|·\\s]+${CODE})*[)\\]]?$`, 'u');

/** One list for the whole page; empty if it has none. */
export function priceList(tree: HtmlTree, mask: Mask, urls: PageUrls): PageRecord[] {
  const lines = pricedLines(tree, mask);
  if (lines.filter(({ found }) => found).length < MIN_ENTRIES) return [];
  const named = entriesOf(tree, lines)
    .slice(0, MAX_ENTRIES)
    .flatMap((entry) => {
      const texts = namedBy(entry);
      return texts.name !== '' && texts.name.length <= MAX_NAME ? [{ entry, ...texts }] : [];
    });
  if (named.length < MIN_ENTRIES) return [];
  const split = named.filter(({ name, description }) => description === '' && DASH.test(name)).length;
  return named.map(({ entry, name, description }) => {
    const dash = split * 2 > named.length && description === '' ? DASH.exec(name) : null;
    const [title, rest] = dash
      ? [name.slice(0, dash.index), name.slice(dash.index + dash[0].length)]
      : [name, description];
    return recordOf(tree, mask, urls, entry, title, rest);
  });
}

function namedBy({ before, line, after }: Entry): { name: string; description: string } {
  const marks = line.found.marks === undefined ? [] : [line.found.marks];
  const own = partsOf(line.found.name, line.startsWithPart);
  const head = before.find(({ rank }) => rank > 0) ?? before[0];
  const [name, inName] = head ? partsOf(head.text, head.startsWithPart) : own;
  const others = before.filter((each) => each !== head).map(textOf);
  const ownText = head ? own.filter((part) => part !== '') : [];
  const description = [...marks, inName, ...others, ...ownText, ...after.map(textOf)]
    .map((text) => text.replace(/^[–—:-]\s*/u, ''))
    .filter((text) => text !== '')
    .join(' ');
  return { name: tidied(name), description: description.slice(0, MAX_DESCRIPTION) };
}

/** The name, and what stands in parts of their own behind it. Codes of allergens belong to the name. */
function partsOf(text: string, startsWithPart: boolean): [name: string, rest: string] {
  const [first = '', ...rest] = text.split('\t');
  // The number of a dish is part of its name.
  let name = /\p{L}/u.test(first) || rest.length === 0 ? first : `${first} ${rest.shift()}`;
  while (rest.length > 0 && CODES.test(rest[0]!)) name += ` ${rest.shift()}`;
  if (rest.length === 0) return [name, ''];
  return startsWithPart || rest.length === 1 ? [name, rest.join(' ')] : [text.replaceAll('\t', ' '), ''];
}

const textOf = ({ text }: PricedLine): string => text.replaceAll('\t', ' ');
const tidied = (name: string): string =>
  name
    .replaceAll('\t', ' ')
    .replace(/^[•·*–—-]\s+|[\s.:;,–—…_-]+$/gu, '')
    .replace(/\s+(?=[,;)])/g, '')
    .trim();

function recordOf(
  tree: HtmlTree,
  mask: Mask,
  urls: PageUrls,
  { line, section, box, before }: Entry,
  title: string,
  description: string,
): PageRecord {
  const prices = labelledPrices(line);
  const [from, to] = box === 0 ? [(before[0] ?? line).from, line.to] : [box, tree.end[box]!];
  const { href, image } = linkAndImage(tree, mask, urls, from, to);
  const fields: LabelledValue[] = prices.map(({ label, value }) => ({ label: label ?? 'price', value }));
  const isMoney = line.found.isMoney && fields.every(({ label }) => label !== 'price');
  if (isMoney) fields.unshift({ label: 'price', value: prices[0]!.value });
  if (description !== '') fields.push({ label: 'description', value: description });
  return {
    title,
    ...(href !== undefined && { href }),
    ...(image !== undefined && { image }),
    ...(section !== undefined && { section }),
    fields,
    text: [title, ...prices.map(({ value }) => value), description].filter((text) => text !== '').join('\n'),
    prices,
  };
}

/** The columns of a table say what is sold at each price. */
function labelledPrices({ found, header = [] }: Entry['line']): ListPrice[] {
  const { skipped = 0 } = found;
  const columns = header.slice(-found.prices.length - skipped);
  return found.prices.map(({ value, label }, at) => {
    const called = label ?? (columns[at] || undefined);
    return { value, ...(called !== undefined && { label: called }) };
  });
}

function linkAndImage(tree: HtmlTree, mask: Mask, urls: PageUrls, from: number, to: number) {
  let href: string | undefined;
  let image: string | undefined;
  for (let node = from; node < to; node++) {
    if (mask[node] === DROPPED) continue;
    if (tree.tag[node] === TAG.a) href ??= urls.resolve(tree.attribute(node, 'href'));
    if (tree.tag[node] === TAG.img) image ??= urls.imageSource(node);
  }
  return { href, image };
}

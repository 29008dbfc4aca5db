// Names that do not stand in a class: labels beside values, icons before a text, addresses of links, captions, badges.
import { ELEMENT, type HtmlTree, TEXT } from '../../../../markup/html/html-tree.ts';
import type { PageUrls } from '../../../../markup/html/page-urls.ts';
import { isInvisible, TAG } from '../../../../markup/html/tags.ts';
import { sideBySide } from '../../../../markup/labels/side-by-side.ts';
import { fieldName } from '../field-names.ts';
import type { NamedValues } from '../scope.ts';
import { factsIn } from '../text/short-facts.ts';
import { shortText } from './element-names.ts';
import { linkNames } from './link-names.ts';

const MAX_FOUND = 3_000;
const BESIDE = 0.78;
const ICON = 0.68;
const SPOKEN = 0.72;
const CAPTION = 0.8;

/** What the picture in front of a text says about it. */
const ICONS: readonly (readonly [RegExp, string])[] = [
  [/(?:^|[-_\s])(?:map|marker|pin|location|geo|place|standort)(?:$|[-_\s])/i, 'location'],
  [/(?:^|[-_\s])(?:calendar|kalender|date|event)(?:$|[-_\s])/i, 'date'],
  [/(?:^|[-_\s])(?:clock|time|watch|hourglass|timer)(?:$|[-_\s])/i, 'time'],
  [/(?:^|[-_\s])(?:phone|tel|telephone)(?:$|[-_\s])/i, 'phone'],
  [/(?:^|[-_\s])(?:envelope|mail|email)(?:$|[-_\s])/i, 'email'],
  [/(?:^|[-_\s])(?:euro|dollar|money|price|ticket)(?:$|[-_\s])/i, 'price'],
  [/(?:^|[-_\s])(?:building|briefcase|company)(?:$|[-_\s])/i, 'company'],
  [/(?:^|[-_\s])(?:cutlery|utensils|servings)(?:$|[-_\s])/i, 'servings'],
];

/** `weights`: how far each part of the page can be trusted to be about its subject. */
export function textNames(tree: HtmlTree, urls: PageUrls, weights: Float32Array): NamedValues[] {
  const found: NamedValues[] = [];
  const add = (label: string, value: string | undefined, weight: number) => {
    if (value) found.push({ name: fieldName(label), values: [{ value }], weight });
  };
  for (let node = 1; node < tree.size && found.length < MAX_FOUND; node++) {
    if (tree.kind[node] !== ELEMENT || isInvisible(tree.tag[node]!)) continue;
    const weight = weights[node]!;
    for (const { label, value } of sideBySide(tree, node)) if (isClear(label)) add(label, value, BESIDE * weight);
    if (tree.tag[node] === TAG.figcaption) add('image caption', shortText(tree, node), CAPTION * weight);
    const icon = iconName(tree, node);
    if (icon !== undefined) add(icon, shortText(tree, tree.parent[node]!, 200), ICON * weight);
    if (tree.tag[node] === TAG.a) found.push(...linkNames(tree, node, urls, weight));
    const spoken = tree.attribute(node, 'aria-label') ?? '';
    if (spoken !== '' && spoken.length < 100) found.push(...factsIn(spoken, SPOKEN * weight));
  }
  return found;
}

/** Two texts side by side are often no pair: several words must be known as a whole, or not at all. */
function isClear(label: string): boolean {
  const { concepts, words } = fieldName(label);
  return concepts.size === 0 || words.length === 1 || Math.max(...concepts.values()) >= 0.85;
}

/** An element without text whose class or reference names a well-known symbol. */
function iconName(tree: HtmlTree, node: number): string | undefined {
  if (tree.end[node]! - node > 4) return undefined;
  for (let at = node; at < tree.end[node]!; at++) {
    if (tree.kind[at] === TEXT && /[^\s\p{Co}]/u.test(tree.text(at))) return undefined;
  }
  const names = `${tree.attribute(node, 'class') ?? ''} ${tree.attribute(node + 1, 'href') ?? ''}`;
  if (names.length < 4 || names.length > 200) return undefined;
  return ICONS.find(([pattern]) => pattern.test(names))?.[1];
}

// What counts as a label: a few words that name a property, with or without a colon.

import { type HtmlTree, TEXT } from '../../../markup/html/html-tree.ts';
import type { PageUrls } from '../../../markup/html/page-urls.ts';
import { TAG } from '../../../markup/html/tags.ts';
import type { LabelledValue } from '../../../page/structured-data.ts';

const MAX_LABEL = 60;
const MAX_WORDS = 7;
const MAX_VALUE = 2_000;
const MAX_STEPS = 50;
const COLON = /\s?[:：]$/;

/** Undefined if one of them is empty or the label is a sentence. */
export function labelledValue(label: string, value: string, href?: string): LabelledValue | undefined {
  const name = label.trim().replace(COLON, '');
  const text = value.trim();
  if (text === '' || text.length > MAX_VALUE || !isLabel(name)) return undefined;
  return { label: name, value: text, ...(href !== undefined && { href }) };
}

export const isLabel = (text: string): boolean =>
  text.length <= MAX_LABEL &&
  /\p{L}/u.test(text) &&
  !/[.!?;{}<>]\s|[!?;{}]$/.test(text) &&
  text.split(/\s+/).length <= MAX_WORDS;

/** The address of the first link among the first nodes of an element. */
export function firstLink(tree: HtmlTree, urls: PageUrls, node: number): string | undefined {
  const end = Math.min(tree.end[node]!, node + MAX_STEPS);
  for (let at = node; at < end; at++) {
    if (tree.tag[at] === TAG.a && tree.kind[at] !== TEXT) {
      const href = urls.resolve(tree.attribute(at, 'href'));
      if (href !== undefined) return href;
    }
  }
  return undefined;
}

/** A line inside a table or a list may have been read twice. */
export function uniquePairs(pairs: readonly LabelledValue[]): LabelledValue[] {
  const seen = new Set<string>();
  return pairs.filter(({ label, value }) => {
    const key = `${label}\n${value}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

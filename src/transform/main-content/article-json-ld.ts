// The text that a page's JSON-LD states: the body of an article, post or answer, or the description of a product.
import { decodeHTML } from 'entities';
import type { HtmlTree } from '../../markup/html/html-tree.ts';
import { TAG } from '../../markup/html/tags.ts';
import type { Block } from './blocks/blocks.ts';
import { openingOf } from './features/own-text.ts';

export interface StatedText {
  /** Paragraphs are separated by line breaks. */
  text: string;
  /** Lower-case letters and digits only, for comparisons. */
  letters: string;
}

const BODY_KEYS = ['articleBody', 'reviewBody', 'text', 'recipeInstructions', 'description'];
// What these say is about the author, the site or an image, or is said by readers.
const NOT_CONTENT = /person|organization|website|brand|imageobject|comment/i;
const MIN_CHARS = 200;
const MAX_CHARS = 2_000_000;
// Every block is searched for in this much of the text: longer than any article, and bounded.
const MAX_COMPARED = 200_000;
const MAX_STEPS = 5_000;
const MAX_TYPE = 200;
// This much of a block identifies its text.
const COMPARED_CHARS = 60;

/** The longest text in the page's JSON-LD, if there is one worth reading. */
export function statedText(tree: HtmlTree): StatedText | undefined {
  let longest = '';
  for (let node = 1; node < tree.size; node++) {
    if (tree.tag[node] !== TAG.script || tree.attribute(node, 'type')?.trim().toLowerCase() !== 'application/ld+json')
      continue;
    if (node + 1 >= tree.end[node]!) continue;
    const source = tree.text(node + 1);
    if (source.length > MAX_CHARS) continue;
    const found = longestText(parseLeniently(source));
    if (found.length > longest.length) longest = found;
  }
  if (longest.length < MIN_CHARS) return undefined;
  const text = withoutMarkup(longest);
  return { text, letters: lettersOf(text.slice(0, MAX_COMPARED)) };
}

export function containsText({ letters }: StatedText, tree: HtmlTree, block: Block): boolean {
  const opening = lettersOf(openingOf(block, tree, COMPARED_CHARS * 2)).slice(0, COMPARED_CHARS);
  return opening.length >= 15 && letters.includes(opening);
}

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

function parseLeniently(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    try {
      // Raw line breaks inside strings are the most common error.
      return JSON.parse(source.replace(/[\u0000-\u001f]+/g, ' '));
    } catch {
      return undefined;
    }
  }
}

/** Iterative and bounded, because the input is untrusted. */
function longestText(root: unknown): string {
  let longest = '';
  const open: unknown[] = [root];
  for (let steps = 0; open.length > 0 && steps < MAX_STEPS; steps++) {
    const value = open.pop();
    if (value === null || typeof value !== 'object') continue;
    if (!Array.isArray(value)) {
      const item = value as Record<string, unknown>;
      if (NOT_CONTENT.test(typeOf(item))) continue;
      for (const key of BODY_KEYS) {
        const text = item[key];
        if (typeof text === 'string' && text.length > longest.length) longest = text;
      }
    }
    open.push(...Object.values(value).slice(0, 200));
  }
  return longest;
}

function typeOf({ '@type': type }: Record<string, unknown>): string {
  const first = Array.isArray(type) ? type[0] : type;
  return typeof first === 'string' ? first.slice(0, MAX_TYPE) : '';
}

function withoutMarkup(text: string): string {
  if (!/[<&]/.test(text)) return text.trim();
  return decodeHTML(text.replace(/<(br|\/p|\/div|\/li|\/h\d)[^>]*>/gi, '\n').replace(/<[^>]*>/g, '')).trim();
}

// The text of a page in passages, as a model might read it: with what a person does not see, and with texts of attributes.

import { ELEMENT, type HtmlTree, TEXT } from '../../markup/html/html-tree.ts';
import { pageTree } from '../../markup/page-tree/page-tree.ts';
import type { PageText } from '../../page/understanding.ts';

export interface Passage {
  text: string;
  /** A person does not see it. */
  isHidden: boolean;
  /** In a block for code or quotations. */
  isExample: boolean;
}

const BLOCKS = new Set(
  'address article aside blockquote body br button caption center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html label legend li main nav ol optgroup option p pre section summary table tbody td tfoot th thead title tr ul'.split(
    ' ',
  ),
);
/** Comments are not in the tree at all. */
const NO_TEXT = new Set(['script', 'style', 'template', 'svg', 'math', 'object', 'iframe']);
const EXAMPLES = new Set(['code', 'pre', 'samp', 'kbd', 'blockquote', 'q', 'cite', 'textarea']);
const ATTRIBUTES = ['alt', 'title', 'aria-label', 'aria-description', 'placeholder', 'summary', 'content'];
const MIN_ATTRIBUTE = 12;

const HIDING_STYLE =
  /display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|(?:^|[;\s{])opacity\s*:\s*0(?:\.0\d*)?\s*(?:;|!|\}|$)|font-size\s*:\s*(?:0(?![.\d])|0?\.\d|1px)|(?:left|top|right|text-indent|margin-left|margin-top)\s*:\s*-\d{3,}|(?:^|[;\s{])color\s*:\s*transparent|clip\s*:\s*rect\(\s*[01]|clip-path\s*:\s*inset\(\s*(?:50|100)%|(?:max-)?(?:height|width)\s*:\s*[01](?:px)?\s*(?:;|!|\}|$)/i;
/** Light text on a light page. */
const WHITE_TEXT = /(?:^|[;\s])color\s*:\s*(?:#fff(?:fff)?\b|white\b|rgba?\(\s*255\s*,\s*255\s*,\s*255)/i;
const ANY_BACKGROUND = /background/i;
const HIDING_CLASS = /(?:^|\s)(?:sr-only|visually-?hidden|screen-reader-text|hidden|d-none|hide|invisible)(?:\s|$)/;
const MAX_STYLE = 200_000;

/** A page, or a text that has no address. */
export type ReadText = Pick<PageText, 'html' | 'markdown'> & Partial<Pick<PageText, 'url'>>;

export function pagePassages(source: ReadText): Passage[] {
  return source.html === undefined ? markdownPassages(source.markdown) : htmlPassages(pageTree(source.html));
}

function htmlPassages(tree: HtmlTree): Passage[] {
  const hiddenNames = namesHiddenByStyles(tree);
  const collected = new Collected();
  for (let at = 1; at < tree.size; at++) {
    collected.reach(at);
    if (tree.kind[at] === TEXT) collected.text += tree.text(at);
    if (tree.kind[at] !== ELEMENT) continue;
    const tag = tree.tagName(at);
    const end = tree.end[at]!;
    if (NO_TEXT.has(tag)) {
      at = end - 1;
      continue;
    }
    if (BLOCKS.has(tag)) collected.enter('block', end);
    if (EXAMPLES.has(tag)) collected.enter('example', end);
    if (isHiding(tree, at, hiddenNames)) collected.enter('hidden', end);
    addAttributes(tree, at, collected.passages);
  }
  collected.reach(tree.size);
  collected.flush();
  return collected.passages;
}

type Scope = 'block' | 'example' | 'hidden';

/** The passage that is being read, and where the elements end that it is in. */
class Collected {
  readonly passages: Passage[] = [];
  text = '';
  readonly #ends: Record<Scope, number> = { block: 0, example: 0, hidden: 0 };

  enter(scope: Scope, end: number): void {
    this.flush();
    this.#ends[scope] = scope === 'block' ? end : Math.max(this.#ends[scope], end);
  }

  reach(at: number): void {
    for (const scope of ['block', 'example', 'hidden'] as const) {
      if (this.#ends[scope] === 0 || at < this.#ends[scope]) continue;
      this.flush();
      this.#ends[scope] = 0;
    }
  }

  flush(): void {
    const text = this.text.trim();
    this.text = '';
    if (text === '') return;
    this.passages.push({ text, isHidden: this.#ends.hidden > 0, isExample: this.#ends.example > 0 });
  }
}

function addAttributes(tree: HtmlTree, at: number, passages: Passage[]): void {
  for (const name of ATTRIBUTES) {
    const value = tree.attribute(at, name);
    if (value !== undefined && value.length >= MIN_ATTRIBUTE) {
      passages.push({ text: value, isHidden: false, isExample: false });
    }
  }
}

function isHiding(tree: HtmlTree, at: number, hiddenNames: ReadonlySet<string>): boolean {
  if (tree.attribute(at, 'hidden') !== undefined) return true;
  const style = tree.attribute(at, 'style');
  if (style !== undefined && (HIDING_STYLE.test(style) || (WHITE_TEXT.test(style) && !ANY_BACKGROUND.test(style)))) {
    return true;
  }
  const classes = tree.attribute(at, 'class');
  if (classes !== undefined) {
    if (HIDING_CLASS.test(classes)) return true;
    if (hiddenNames.size > 0 && classes.split(/\s+/).some((name) => hiddenNames.has(`.${name}`))) return true;
  }
  const id = tree.attribute(at, 'id');
  return id !== undefined && hiddenNames.has(`#${id}`);
}

/** Classes and ids that a style sheet in the page hides, if a rule names nothing else. */
function namesHiddenByStyles(tree: HtmlTree): Set<string> {
  const names = new Set<string>();
  let left = MAX_STYLE;
  for (let at = 1; at < tree.size && left > 0; at++) {
    if (tree.kind[at] !== ELEMENT || tree.tagName(at) !== 'style') continue;
    for (let child = at + 1; child < tree.end[at]! && left > 0; child++) {
      const sheet = tree.text(child).slice(0, left);
      left -= sheet.length;
      for (const rule of sheet.split('}')) {
        const [selectors = '', declarations = ''] = rule.split('{');
        if (!HIDING_STYLE.test(declarations)) continue;
        for (const selector of selectors.split(','))
          if (/^[.#][\w-]+$/.test(selector.trim())) names.add(selector.trim());
      }
    }
  }
  return names;
}

/** A file, or text that never was HTML. */
function markdownPassages(markdown: string): Passage[] {
  let isFenced = false;
  return markdown.split(/\n{2,}|\n(?=[#>*-])/).flatMap((block) => {
    const fences = block.match(/^(?:```|~~~)/gm)?.length ?? 0;
    const isExample = isFenced || fences > 0 || /^\s*>/.test(block);
    if (fences % 2 === 1) isFenced = !isFenced;
    return block.trim() === '' ? [] : [{ text: block.trim(), isHidden: false, isExample }];
  });
}

// Flags of the elements around a block: what they are, and whether a reader can see them.
import type { HtmlTree } from '../../../markup/html/html-tree.ts';
import { TAG } from '../../../markup/html/tags.ts';

/** One bit for each property of an ancestor. */
export const FLAG = {
  nav: 1 << 0,
  footer: 1 << 1,
  aside: 1 << 2,
  header: 1 << 3,
  form: 1 << 4,
  table: 1 << 5,
  item: 1 << 6,
  quote: 1 << 7,
  pre: 1 << 8,
  figure: 1 << 9,
  definition: 1 << 10,
  details: 1 << 11,
  article: 1 << 12,
  main: 1 << 13,
  section: 1 << 14,
  button: 1 << 15,
  heading: 1 << 16,
  hidden: 1 << 17,
  noscript: 1 << 18,
  template: 1 << 19,
  dialog: 1 << 20,
  itemprop: 1 << 21,
  paragraph: 1 << 22,
  emphasis: 1 << 23,
  menu: 1 << 24,
  time: 1 << 25,
  list: 1 << 26,
  address: 1 << 27,
} as const;

/** Hidden, but in a tab, accordion or slide that the reader can open. Not one of the model's features. */
export const REVEALABLE = 1 << 30;

const TAG_FLAGS = [
  ['nav', FLAG.nav],
  ['footer', FLAG.footer],
  ['aside', FLAG.aside],
  ['header', FLAG.header],
  ['form', FLAG.form],
  ['table', FLAG.table],
  ['li dd', FLAG.item],
  ['blockquote', FLAG.quote],
  ['pre code', FLAG.pre],
  ['figure figcaption', FLAG.figure],
  ['dl', FLAG.definition],
  ['details summary', FLAG.details],
  ['article', FLAG.article],
  ['main', FLAG.main],
  ['section', FLAG.section],
  ['button label', FLAG.button],
  ['h1 h2 h3 h4 h5 h6', FLAG.heading],
  ['noscript', FLAG.noscript],
  ['template', FLAG.template],
  ['dialog', FLAG.dialog],
  ['p', FLAG.paragraph],
  ['b strong em i', FLAG.emphasis],
  ['menu', FLAG.menu],
  ['time', FLAG.time],
  ['ul ol', FLAG.list],
  ['address', FLAG.address],
] as const;
const FLAG_OF_TAG = flagsByTag();
const ROLE_FLAGS: Record<string, number> = {
  navigation: FLAG.nav,
  banner: FLAG.header,
  contentinfo: FLAG.footer,
  complementary: FLAG.aside,
  search: FLAG.form,
  dialog: FLAG.dialog,
  alertdialog: FLAG.dialog,
  menu: FLAG.menu,
  menubar: FLAG.menu,
  main: FLAG.main,
  article: FLAG.article,
  button: FLAG.button,
  heading: FLAG.heading,
  alert: FLAG.dialog,
};
const NOT_SHOWN =
  /display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|opacity\s*:\s*0(?![.\d])|(?:left|top|text-indent)\s*:\s*-\d{3,}/i;
// Hidden permanently.
const BURIED = /font-size\s*:\s*0|opacity\s*:\s*0(?![.\d])|(?:left|top|text-indent)\s*:\s*-\d{3,}/i;
const OPENS =
  /tab|accord|collaps|panel|toggle|expand|faq|answer|slide|carousel|swiper|slick|splide|glide|more|detail|reveal|variant|option/i;
const OPENS_LEVELS = 3;
const CONTENT_PROPERTY = /articlebody|description|text|reviewbody|recipeinstructions|recipeingredient|answer|question/i;

function flagsByTag(): Int32Array {
  const flags = new Int32Array(256);
  for (const [names, flag] of TAG_FLAGS) {
    for (const name of names.split(' ')) flags[TAG[name as keyof typeof TAG]] = flag;
  }
  return flags;
}

/** Computes the flags inside an element from those around it. */
export class FlagReader {
  readonly #tree: HtmlTree;
  readonly #role: number;
  readonly #modal: number;
  readonly #hidden: number;
  readonly #ariaHidden: number;
  readonly #style: number;
  readonly #property: number;

  constructor(tree: HtmlTree) {
    this.#tree = tree;
    this.#role = tree.attributeNumber('role');
    this.#modal = tree.attributeNumber('aria-modal');
    this.#hidden = tree.attributeNumber('hidden');
    this.#ariaHidden = tree.attributeNumber('aria-hidden');
    this.#style = tree.attributeNumber('style');
    this.#property = tree.attributeNumber('itemprop');
  }

  flagsOf(node: number, inherited: number): number {
    const tree = this.#tree;
    const tag = tree.tag[node]!;
    let flags = inherited | (tag < FLAG_OF_TAG.length ? FLAG_OF_TAG[tag]! : 0);
    const role = tree.attributeAt(node, this.#role);
    if (role !== undefined) flags |= ROLE_FLAGS[role.toLowerCase()] ?? 0;
    if (tree.attributeAt(node, this.#modal) === 'true') flags |= FLAG.dialog;
    const property = tree.attributeAt(node, this.#property);
    if (property !== undefined && CONTENT_PROPERTY.test(property)) flags |= FLAG.itemprop;
    if (!this.#isHidden(node)) return flags;
    // The outermost hidden element decides whether the reader can open it.
    if ((inherited & FLAG.hidden) === 0 && canBeOpened(tree, node)) flags |= REVEALABLE;
    return flags | FLAG.hidden;
  }

  /** Is the element hidden without any way for the reader to open it? */
  isConcealed(node: number): boolean {
    // Most elements are visible, which is cheaper to find out than all flags.
    return this.#isHidden(node) && (this.flagsOf(node, 0) & REVEALABLE) === 0;
  }

  /** Is the element not displayed, without any way for the reader to open it? `aria-hidden` hides from the ear only. */
  isUndisplayed(node: number): boolean {
    return this.#isNotDisplayed(node) && (this.flagsOf(node, 0) & REVEALABLE) === 0;
  }

  #isHidden(node: number): boolean {
    return this.#isNotDisplayed(node) || this.#tree.attributeAt(node, this.#ariaHidden) === 'true';
  }

  #isNotDisplayed(node: number): boolean {
    const hidden = this.#tree.attributeAt(node, this.#hidden);
    if (hidden !== undefined && hidden !== 'until-found') return true;
    const style = this.#tree.attributeAt(node, this.#style);
    return style !== undefined && NOT_SHOWN.test(style);
  }
}

/** Does the element, or a close ancestor, look like a tab, an accordion or a slide? */
function canBeOpened(tree: HtmlTree, hidden: number): boolean {
  if (BURIED.test(tree.attribute(hidden, 'style') ?? '')) return false;
  let node = hidden;
  for (let level = 0; level < OPENS_LEVELS && node > 0; level++) {
    if (tree.attribute(node, 'role') === 'tabpanel' || tree.attribute(node, 'aria-labelledby') !== undefined)
      return true;
    if (OPENS.test(tree.attribute(node, 'class') ?? '') || OPENS.test(tree.attribute(node, 'id') ?? '')) return true;
    node = tree.parent[node]!;
  }
  return false;
}

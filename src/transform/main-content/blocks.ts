// The page as leaf blocks: maximal runs of text between two borders of block elements, with what their ancestors say about
// them. Hidden parts, <noscript> and <template> are blocks too, with a flag: some pages keep their real content there.
import { isBlock, isHeading, TAG, tagSet } from '../html/tags.ts';
import { ELEMENT, type HtmlTree, TEXT } from '../html/tree.ts';
import { createNameReader, NAME_GROUPS } from './name-groups.ts';
import { addText, emptyStats, type TextStats } from './text-stats.ts';

export interface Block {
  /** The nodes of the run: [start, end). */
  start: number;
  end: number;
  /** The block element it stands in, and the depth of that. */
  container: number;
  depth: number;
  stats: TextStats;
  linkWords: number;
  links: number;
  images: number;
  /** FLAGS that hold for the run, from itself and its ancestors. */
  flags: number;
  /** For each group of names: the depth of the nearest ancestor that is named so. Shared by many blocks. */
  namedAt: Int16Array;
}

export interface Blocks {
  list: Block[];
  /** For each element: the blocks of its subtree are [firstBlock, lastBlock). */
  firstBlock: Int32Array;
  lastBlock: Int32Array;
  /** A number for each distinct (tag, class) of an element. */
  signature: Int32Array;
}

const FAR = 20;

/** How many levels above the block a name of the group stands, FAR if none does. */
export const levelsToName = ({ depth, namedAt }: Block, group: number): number =>
  Math.min(FAR, depth - namedAt[group]!);

/** What an ancestor can be, as bits. */
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

/** Hidden, but behind a tab, an accordion or a slide that the reader can open. Not a feature: the trees do not ask for it. */
export const REVEALABLE = 1 << 30;

const isSkipped = tagSet(
  'head script style svg iframe select input textarea datalist canvas object embed audio video math map',
);
const FLAG_OF_TAG = new Int32Array(256);
for (const [names, flag] of [
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
] as const) {
  for (const name of names.split(' ')) FLAG_OF_TAG[TAG[name as keyof typeof TAG]] = flag;
}
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
// Out of sight for good: nothing opens it.
const BURIED = /font-size\s*:\s*0|opacity\s*:\s*0(?![.\d])|(?:left|top|text-indent)\s*:\s*-\d{3,}/i;
const OPENS =
  /tab|accord|collaps|panel|toggle|expand|faq|answer|slide|carousel|swiper|slick|splide|glide|more|detail|reveal|variant|option/i;
const OPENS_LEVELS = 3;
const CONTENT_PROPERTY = /articlebody|description|text|reviewbody|recipeinstructions|recipeingredient|answer|question/i;

export function collectBlocks(tree: HtmlTree): Blocks {
  const readNames = createNameReader();
  const firstBlock = new Int32Array(tree.size);
  const lastBlock = new Int32Array(tree.size);
  const signature = new Int32Array(tree.size);
  const signatures = new Map<string, number>();
  const list: Block[] = [];

  // The open elements: where each ends, and what holds for everything inside.
  const groups = NAME_GROUPS.length;
  const open: number[] = [0];
  const flagsAt: number[] = [0];
  const namedAt: Int16Array[] = [new Int16Array(groups).fill(-FAR)];
  const containerAt: number[] = [0];
  let linkEnd = 0;
  let current: Block | undefined;

  const openElement = (node: number, tag: number) => {
    const depth = open.length;
    const className = tree.attribute(node, 'class') ?? '';
    const id = tree.attribute(node, 'id') ?? '';
    const names = readNames(className) | readNames(id);
    const above = namedAt[depth - 1]!;
    // Siblings without names share their parent's record.
    let named = above;
    if (names !== 0) {
      named = above.slice();
      for (let group = 0; group < groups; group++) if ((names >> group) & 1) named[group] = depth;
    }
    const key = `${tag} ${className}`;
    let own = signatures.get(key);
    if (own === undefined) {
      own = signatures.size + 1;
      signatures.set(key, own);
    }
    signature[node] = own;
    firstBlock[node] = list.length;
    open.push(node);
    const inherited = flagsAt[depth - 1]!;
    let flags = inherited | (tag < 256 ? FLAG_OF_TAG[tag]! : 0) | attributeFlags(tree, node);
    // The outermost hidden element decides.
    if ((flags & ~inherited & FLAG.hidden) !== 0 && canBeOpened(tree, node)) flags |= REVEALABLE;
    flagsAt.push(flags);
    namedAt.push(named);
    containerAt.push(isBlock(tag) ? node : containerAt[depth - 1]!);
    if (tag === TAG.a && tree.attribute(node, 'href') !== undefined) linkEnd = tree.end[node]!;
  };

  const closeElements = (node: number) => {
    while (open.length > 1 && tree.end[open[open.length - 1]!]! <= node) {
      const closed = open.pop()!;
      flagsAt.pop();
      namedAt.pop();
      containerAt.pop();
      lastBlock[closed] = list.length;
      if (isBlock(tree.tag[closed]!)) current = undefined;
    }
  };

  const blockAt = (node: number): Block => {
    if (current) return current;
    const depth = open.length - 1;
    current = {
      start: node,
      end: node + 1,
      container: containerAt[depth]!,
      depth,
      stats: emptyStats(),
      linkWords: 0,
      links: 0,
      images: 0,
      flags: flagsAt[depth]!,
      namedAt: namedAt[depth]!,
    };
    list.push(current);
    return current;
  };

  let pendingImages = 0;
  let linkOfLast = -1;
  for (let node = 1; node < tree.size; node++) {
    closeElements(node);
    if (tree.kind[node] === TEXT) {
      const text = tree.text(node);
      if (!/\S/.test(text)) {
        if (current) current.stats.inWord = false;
        continue;
      }
      const block = blockAt(node);
      const words = addText(block.stats, text);
      block.end = node + 1;
      block.flags |= flagsAt[open.length - 1]! & (FLAG.time | FLAG.button);
      block.images += pendingImages;
      pendingImages = 0;
      if (node < linkEnd) {
        block.linkWords += words;
        if (linkOfLast !== linkEnd) block.links += 1;
        linkOfLast = linkEnd;
      }
    } else if (tree.kind[node] === ELEMENT) {
      const tag = tree.tag[node]!;
      if (isSkipped(tag)) {
        node = tree.end[node]! - 1;
        continue;
      }
      if (tag === TAG.img) pendingImages += 1;
      else if (isBlock(tag)) current = undefined;
      else if (tag === TAG.br && current) current.stats.inWord = false;
      if (tree.end[node]! > node + 1 || isHeading(tag)) openElement(node, tag);
      else signature[node] = 0;
    }
  }
  closeElements(tree.size);
  lastBlock[0] = list.length;
  return { list, firstBlock, lastBlock, signature };
}

/** Is the element hidden, with nothing that would bring it to light? */
export const isConcealedElement = (tree: HtmlTree, node: number): boolean =>
  (attributeFlags(tree, node) & FLAG.hidden) !== 0 && !canBeOpened(tree, node);

/** Does the element, or one close above it, look like something that is opened by a click or shown in turn? */
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

function attributeFlags(tree: HtmlTree, node: number): number {
  let flags = 0;
  const role = tree.attribute(node, 'role');
  if (role !== undefined) flags |= ROLE_FLAGS[role.toLowerCase()] ?? 0;
  if (tree.attribute(node, 'aria-modal') === 'true') flags |= FLAG.dialog;
  const hidden = tree.attribute(node, 'hidden');
  if (hidden !== undefined && hidden !== 'until-found') flags |= FLAG.hidden;
  if (tree.attribute(node, 'aria-hidden') === 'true') flags |= FLAG.hidden;
  const style = tree.attribute(node, 'style');
  if (style !== undefined && NOT_SHOWN.test(style)) flags |= FLAG.hidden;
  const property = tree.attribute(node, 'itemprop');
  if (property !== undefined && CONTENT_PROPERTY.test(property)) flags |= FLAG.itemprop;
  return flags;
}

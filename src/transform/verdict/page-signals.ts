// One bounded pass over the tree: how many words there are, what the page calls itself, and which elements it has.
import { type HtmlTree, TEXT } from '../../markup/html/html-tree.ts';
import { isInvisible, TAG, tagSet } from '../../markup/html/tags.ts';
import { countWords, normalise } from './page-phrases.ts';

export interface Signals {
  /** Normalised and truncated, like all texts here. */
  title: string;
  /** The first visible headings outside navigation and footers, h1 before h2. */
  headings: string[];
  /** The beginning of the visible text; empty for a long page. */
  text: string;
  noscript: string;
  /** Words outside links, controls, navigation and footers. */
  ownWords: number;
  /** Words inside links, controls, navigation and footers. */
  frameWords: number;
  /** The page has too many words to be anything but content. Reading stopped at that point. */
  long: boolean;
  links: number;
  images: number;
  /** Frames, video, audio, embedded objects. */
  embeds: number;
  /** Visible ones only. */
  passwordFields: number;
  /** Other visible text fields, except search fields. */
  textFields: number;
}

/** No known challenge, login wall, shell, error or parking page has more words. */
const LONG_PAGE_WORDS = 300;
/** As in the menus of a large shop around an error page. */
const LONG_FRAME_WORDS = 2_000;
/** Longer <noscript> text is content: some forums put the whole page there. */
const NOSCRIPT_NOTE_WORDS = 80;
const MAX_NODES = 50_000;
const MAX_ANCESTORS = 32;
const MAX_NAME = 300;
const MAX_HEADINGS = 4;
const MAX_TEXT = 6_000;
/** Limit for one text node. */
const MAX_PIECE = 8_000;

const isFrame = tagSet('a nav footer button aside label');
const isEmbed = tagSet('iframe frame video audio embed object applet');
const isUnread = tagSet('style script iframe noembed noframes object applet datalist canvas select textarea svg');

export const readSignals = (tree: HtmlTree): Signals => new SignalReader(tree).run();

class SignalReader {
  readonly #tree: HtmlTree;
  readonly #counts: Counts = { links: 0, images: 0, embeds: 0, passwordFields: 0, textFields: 0 };
  readonly #h1: string[] = [];
  readonly #h2: string[] = [];
  readonly #seen: string[] = [];
  readonly #unscripted: string[] = [];
  #title = '';
  #seenLength = 0;
  #ownWords = 0;
  #frameWords = 0;
  #noscriptWords = 0;
  #frameEnd = 0;
  #noscriptEnd = 0;

  constructor(tree: HtmlTree) {
    this.#tree = tree;
  }

  run(): Signals {
    const tree = this.#tree;
    const size = Math.min(tree.size, MAX_NODES);
    for (let node = 1; node < size && !this.#isLong(); node++) {
      if (tree.kind[node] === TEXT) {
        this.#readText(node);
        continue;
      }
      const tag = tree.tag[node]!;
      const end = tree.end[node]!;
      if (tag === TAG.title) {
        // The first title counts, as in browsers.
        this.#title ||= textOf(tree, node, MAX_NAME);
        node = end - 1;
      } else if (tag === TAG.noscript) this.#noscriptEnd = end;
      else if (tag === TAG.h1) this.#readHeading(node, this.#h1);
      else if (tag === TAG.h2) this.#readHeading(node, this.#h2);
      else if (isFrame(tag)) this.#frameEnd = Math.max(this.#frameEnd, end);
      if (node >= this.#noscriptEnd) countElement(tree, node, tag, this.#counts);
      if (isUnread(tag) || isClosedTemplate(tree, node, tag)) node = end - 1;
    }
    return this.#finish();
  }

  #isLong(): boolean {
    return this.#ownWords + this.#noscriptWords > LONG_PAGE_WORDS || this.#frameWords > LONG_FRAME_WORDS;
  }

  #readText(node: number): void {
    const text = this.#tree.text(node).slice(0, MAX_PIECE);
    const words = countWords(text);
    if (words === 0) return;
    if (node < this.#noscriptEnd) this.#noscriptWords += words;
    else if (node < this.#frameEnd) this.#frameWords += words;
    else this.#ownWords += words;
    if (this.#seenLength > MAX_TEXT) return;
    (node < this.#noscriptEnd ? this.#unscripted : this.#seen).push(text);
    this.#seenLength += text.length;
  }

  #readHeading(node: number, found: string[]): void {
    const isOwn = node >= this.#frameEnd && node >= this.#noscriptEnd;
    if (!isOwn || found.length >= MAX_HEADINGS || isHidden(this.#tree, node)) return;
    found.push(textOf(this.#tree, node, MAX_NAME));
  }

  #finish(): Signals {
    if (this.#noscriptWords > NOSCRIPT_NOTE_WORDS) this.#ownWords += this.#noscriptWords;
    const long = this.#isLong();
    return {
      title: this.#title,
      headings: [...this.#h1, ...this.#h2].slice(0, MAX_HEADINGS),
      text: long ? '' : joined(this.#seen),
      noscript: long ? '' : joined(this.#unscripted),
      ownWords: this.#ownWords,
      frameWords: this.#frameWords,
      long,
      ...this.#counts,
    };
  }
}

const joined = (pieces: readonly string[]): string => normalise(pieces.join(' ').slice(0, MAX_TEXT));

type Counts = Pick<Signals, 'links' | 'images' | 'embeds' | 'passwordFields' | 'textFields'>;

function countElement(tree: HtmlTree, node: number, tag: number, counts: Counts): void {
  if (tag === TAG.a) counts.links += 1;
  else if (tag === TAG.img) counts.images += 1;
  else if (tag === TAG.textarea) counts.textFields += 1;
  else if (isEmbed(tag)) counts.embeds += 1;
  else if (tag === TAG.input) {
    const type = tree.attribute(node, 'type')?.toLowerCase() ?? 'text';
    const isText = type === 'text' || type === 'email' || type === 'tel';
    if ((type !== 'password' && !isText) || isHidden(tree, node)) return;
    if (isText) counts.textFields += 1;
    else counts.passwordFields += 1;
  }
}

/** Many sites contain a login form that is shown only on demand. */
function isHidden(tree: HtmlTree, node: number): boolean {
  for (let at = node, levels = 0; at > 0 && levels < MAX_ANCESTORS; at = tree.parent[at]!, levels++) {
    if (tree.attribute(at, 'hidden') !== undefined || tree.attribute(at, 'aria-hidden') === 'true') return true;
    if (/display\s*:\s*none/i.test(tree.attribute(at, 'style')?.slice(0, MAX_NAME) ?? '')) return true;
  }
  return false;
}

/** Browsers render a template only if it is a declarative shadow root. */
const isClosedTemplate = (tree: HtmlTree, node: number, tag: number) =>
  tag === TAG.template && tree.attribute(node, 'shadowrootmode') === undefined;

/** The visible text of a subtree, normalised and truncated. */
function textOf(tree: HtmlTree, node: number, limit: number): string {
  let text = '';
  const end = Math.min(tree.end[node]!, node + limit);
  for (let at = node + 1; at < end && text.length < limit; at++) {
    if (tree.kind[at] === TEXT) text += ` ${tree.text(at).slice(0, limit)}`;
    else if (isInvisible(tree.tag[at]!)) at = tree.end[at]! - 1;
  }
  return normalise(text).slice(0, limit);
}

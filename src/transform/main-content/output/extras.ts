// What a page asks of its readers besides reading: forms and lines to subscribe, links that share it, the box about its
// writer. Left out where a caller wants nothing but the content.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ELEMENT, type HtmlTree } from '../../../markup/html/html-tree.ts';
import { TAG } from '../../../markup/html/tags.ts';
import { lazy } from '../../../util/lazy.ts';
import { isLong } from '../blocks/block-sums.ts';
import type { Blocks } from '../blocks/blocks.ts';

const FILE = join(import.meta.dirname, '../../../../data/page-extras.json');
const SIGN_UP_WORDS = 60;
const LINE_WORDS = 25;
const SHARE_WORDS = 25;
const WRITER_WORDS = 120;
/** What is more of the page than this is what the page is about. */
const MOST = 0.3;
/** A box about the writer stands behind most of the text. */
const WRITER_AFTER = 0.6;
/** More of them belong to posts, or to a list of writers. */
const MOST_WRITERS = 2;
const NAME = /[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/gu;

interface Words {
  lines: Record<string, string[]>;
  paths: string;
  writers: string;
  shares: string;
}

const words = lazy(() => {
  const { lines, paths, writers, shares } = JSON.parse(readFileSync(FILE, 'utf8')) as Words;
  return {
    lines: Object.values(lines).flat(),
    paths: new Set(paths.split(' ')),
    writers: new Set(writers.split(' ')),
    shares: new Set(shares.split(' ')),
  };
});

/** `keep` is narrowed. */
export function dropExtras(tree: HtmlTree, url: string, blocks: Blocks, keep: Uint8Array): void {
  const extras = new Extras(tree, url, blocks, keep);
  for (const node of extras.boxes()) keep.fill(0, blocks.firstBlock[node]!, blocks.lastBlock[node]!);
  for (const index of extras.lines()) keep[index] = 0;
}

class Extras {
  readonly #tree: HtmlTree;
  readonly #blocks: Blocks;
  readonly #keep: Uint8Array;
  readonly #kept: number;
  /** Host and path of the page, which links that share it carry. */
  readonly #address: string | undefined;
  /** Sums over what stands before: the words of blocks, of kept blocks, and the headings of the page by node. */
  readonly #words: Float64Array;
  readonly #keptWords: Float64Array;
  readonly #titles: Int32Array;
  readonly #titleTexts = new Set<string>();
  readonly #longForms = new Map<number, boolean>();

  constructor(tree: HtmlTree, url: string, blocks: Blocks, keep: Uint8Array) {
    this.#tree = tree;
    this.#blocks = blocks;
    this.#keep = keep;
    this.#words = new Float64Array(blocks.list.length + 1);
    this.#keptWords = new Float64Array(blocks.list.length + 1);
    for (const [index, { stats, container, start, end }] of blocks.list.entries()) {
      this.#words[index + 1] = this.#words[index]! + stats.words;
      this.#keptWords[index + 1] = this.#keptWords[index]! + (keep[index] === 1 ? stats.words : 0);
      if (tree.tag[container] === TAG.h1) this.#titleTexts.add(textBetween(tree, start, end));
    }
    this.#kept = this.#keptWords.at(-1)!;
    this.#titles = new Int32Array(tree.size + 1);
    for (let node = 0; node < tree.size; node++) {
      this.#titles[node + 1] = this.#titles[node]! + (tree.tag[node] === TAG.h1 ? 1 : 0);
    }
    const { host = '', pathname = '/' } = URL.parse(url) ?? {};
    this.#address = pathname === '/' ? undefined : `${host}${pathname}`.replace(/\/$/, '');
  }

  boxes(): number[] {
    const tree = this.#tree;
    const found: number[] = [];
    const writers: number[] = [];
    for (let node = 1; node < tree.size; node++) {
      if (tree.kind[node] !== ELEMENT) continue;
      if (tree.tag[node] === TAG.input && this.#asksForMail(node)) found.push(this.#around(node, SIGN_UP_WORDS));
      const names = namesOf(tree, node);
      if (names.some((name) => words().shares.has(name)) && this.#isShort(node)) {
        found.push(this.#around(node, SHARE_WORDS, isShareBox));
      }
      if (names.some((name) => words().writers.has(name)) && this.#isAboutWriter(node)) {
        writers.push(node);
        node = tree.end[node]! - 1;
      }
    }
    if (writers.length <= MOST_WRITERS) found.push(...writers);
    return found.filter((node) => node > 0 && this.#wordsIn(node) <= this.#kept * MOST);
  }

  /** Blocks of which all links share the page or lead to a subscription, and lines that ask for one. */
  lines(): number[] {
    return this.#blocks.list.flatMap((block, index) => {
      if (this.#keep[index] === 0 || block.stats.words > LINE_WORDS) return [];
      const links = this.#linksIn(block.start, block.end, block.container);
      if (links.length > 0 && links.every((href) => this.#shares(href) || isSignUp(href))) return [index];
      const text = textBetween(this.#tree, block.start, block.end);
      const asks = words().lines.some((line) => text.startsWith(line));
      // A page about a newsletter says so in its title.
      return asks && !this.#titleTexts.has(text) ? [index] : [];
    });
  }

  /** A field for an address alone; forms to write or to log in have more. */
  #asksForMail(input: number): boolean {
    const tree = this.#tree;
    const type = tree.attribute(input, 'type')?.toLowerCase() ?? 'text';
    const name = `${tree.attribute(input, 'name') ?? ''} ${tree.attribute(input, 'placeholder') ?? ''}`;
    if (type !== 'email' && !(type === 'text' && /e-?mail/i.test(name))) return false;
    let form = input;
    while (form > 0 && tree.tag[form] !== TAG.form) form = tree.parent[form]!;
    return form === 0 || !this.#isLongForm(form);
  }

  #isLongForm(form: number): boolean {
    const tree = this.#tree;
    let isLongForm = this.#longForms.get(form);
    for (let node = form + 1; isLongForm === undefined && node < tree.end[form]!; node++) {
      if (tree.tag[node] === TAG.textarea || tree.attribute(node, 'type')?.toLowerCase() === 'password')
        isLongForm = true;
    }
    this.#longForms.set(form, isLongForm ?? false);
    return isLongForm ?? false;
  }

  /** The largest element around this one with so few words; the title of the page is never in it. */
  #around(from: number, most: number, accepts: (tree: HtmlTree, node: number) => boolean = () => true): number {
    const tree = this.#tree;
    let box = from;
    for (let node = tree.parent[from]!; node > 0; node = tree.parent[node]!) {
      if (this.#wordsIn(node) > most || this.#holdsTitle(node) || !accepts(tree, node)) break;
      box = node;
    }
    return box;
  }

  #isShort(node: number): boolean {
    return this.#wordsIn(node) <= SHARE_WORDS && !this.#holdsTitle(node);
  }

  /** Prose about somebody behind the text. */
  #isAboutWriter(node: number): boolean {
    const [first, last] = this.#rangeOf(node);
    if (this.#wordsIn(node) > WRITER_WORDS || this.#holdsTitle(node)) return false;
    const hasProse = this.#blocks.list.slice(first, last).some(isLong);
    return hasProse && this.#keptWords[first]! >= this.#kept * WRITER_AFTER;
  }

  #holdsTitle(node: number): boolean {
    return this.#titles[this.#tree.end[node]!]! > this.#titles[node]!;
  }

  #linksIn(start: number, end: number, container: number): string[] {
    const tree = this.#tree;
    const hrefs: string[] = [];
    const add = (node: number) => {
      if (tree.tag[node] === TAG.a) hrefs.push(tree.attribute(node, 'href') ?? '');
    };
    // The text of a link may begin the block, which then does not hold the link itself.
    for (let node = tree.parent[start]!; node > container; node = tree.parent[node]!) add(node);
    if (tree.tag[container] === TAG.a) add(container);
    for (let node = start; node < end; node++) if (tree.kind[node] === ELEMENT) add(node);
    return hrefs;
  }

  #shares(href: string): boolean {
    if (/^mailto:\?/i.test(href)) return true;
    const target = decoded(href);
    const own = this.#address;
    if (own === undefined || !/^(?:https?:)?\/\/|^\p{L}+:/u.test(target)) return false;
    const at = target.indexOf(own);
    return at > 0 && target.slice(0, at).includes('?');
  }

  #rangeOf(node: number): [first: number, last: number] {
    return [this.#blocks.firstBlock[node]!, this.#blocks.lastBlock[node]!];
  }

  #wordsIn(node: number): number {
    const [first, last] = this.#rangeOf(node);
    return this.#words[last]! - this.#words[first]!;
  }
}

const namesOf = (tree: HtmlTree, node: number): string[] =>
  `${tree.attribute(node, 'class') ?? ''} ${tree.attribute(node, 'id') ?? ''}`
    .replace(/__|--/g, ' ')
    .replaceAll('_', '-')
    .toLowerCase()
    .match(NAME) ?? [];

const isShareBox = (tree: HtmlTree, node: number): boolean => tree.tag[node] !== TAG.header;

function textBetween(tree: HtmlTree, start: number, end: number): string {
  let text = '';
  for (let node = start; node < end; node++) text += tree.text(node);
  return text.replace(/\s+/g, ' ').trim().toLowerCase();
}

const isSignUp = (href: string): boolean =>
  decoded(href)
    .toLowerCase()
    .replace(/[?#].*$/, '')
    .split('/')
    .some((part) => words().paths.has(part));

function decoded(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}

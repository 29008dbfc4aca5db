// Finds footnotes in the markup of common tools, so that marks become [^1] and their notes [^1]: text.
import { ELEMENT, type HtmlTree } from '../../markup/html/html-tree.ts';
import { DROPPED, type Mask } from '../../markup/html/node-mask.ts';
import { isBlock, isHeading, TAG } from '../../markup/html/tags.ts';

const NOTE_ID =
  /^(?:user-content-)?(?:fn|footnotes?|notes?|_?ftn|_?edn|cite_note|en|endnote|easy-footnote-bottom|sdfootnote|ftnt|f)[-_:.]?\w/i;
const BACK_ID =
  /^#(?:user-content-)?(?:fn-?_?ref|footnote-?ref|cite_ref|_?ftnref|_?ednref|ftnt_ref|easy-footnote-\d|ref|fnr|r\d)/i;
const MARK_TEXT = /^\s*[[(]?\s*([\w*†‡§]{1,8}|(?:note|nb|lower-alpha) [\w]{1,4})\s*[\])]?\s*$/i;
const BACK_TEXT = /^(?:[\s^↩↑⇑⬆⏎⤴↵[\](){}.\w]|\ufe0e|\ufe0f){0,6}$/;

export class Footnotes {
  readonly #tree: HtmlTree;
  readonly #labels = new Map<number, string>();
  readonly #marks = new Map<number, string>();

  constructor(tree: HtmlTree, mask: Mask) {
    this.#tree = tree;
    const marks = candidates(tree);
    if (marks.length > 0) this.#pair(marks, mask);
  }

  /** The Markdown of the mark at this node: `[^1]`, or its text if the note is not part of the content. */
  mark(node: number): string | undefined {
    return this.#marks.size === 0 ? undefined : this.#marks.get(node);
  }

  /** The label of the note if this block is one. */
  label(node: number): string | undefined {
    return this.#labels.size === 0 ? undefined : this.#labels.get(node);
  }

  /** Whether this link leads from a note back to its mark. */
  isBacklink(node: number): boolean {
    const href = this.#tree.attribute(node, 'href') ?? '';
    return href.startsWith('#') && (BACK_ID.test(href) || BACK_TEXT.test(textOf(this.#tree, node)));
  }

  #pair(marks: Candidate[], mask: Mask): void {
    const targets = blocksById(this.#tree, new Set(marks.map(({ id }) => id)));
    const taken = new Set<string>();
    for (const { node, id, text } of marks) {
      const note = targets.get(id);
      if (note === undefined || (node >= note && node < this.#tree.end[note]!)) continue;
      if (mask[note] === DROPPED) {
        this.#marks.set(node, text);
        continue;
      }
      const label = this.#labels.get(note) ?? freeLabel(text, taken);
      this.#labels.set(note, label);
      taken.add(label);
      this.#marks.set(node, `[^${label}]`);
    }
  }
}

interface Candidate {
  /** The <sup> around the link, or the link itself. */
  node: number;
  id: string;
  text: string;
}

function candidates(tree: HtmlTree): Candidate[] {
  const found: Candidate[] = [];
  for (let node = 1; node < tree.size; node++) {
    if (tree.tag[node] !== TAG.a || tree.kind[node] !== ELEMENT) continue;
    const href = tree.attribute(node, 'href');
    if (href === undefined || !href.startsWith('#') || !NOTE_ID.test(href.slice(1))) continue;
    const text = textOf(tree, node);
    const raised = raisedAround(tree, node);
    if (raised !== 0 && MARK_TEXT.test(text)) found.push({ node: raised, id: href.slice(1), text: text.trim() });
  }
  return found;
}

/** The <sup> that contains only the link, or the link itself if it contains a <sup> or is named as a mark; else 0. */
function raisedAround(tree: HtmlTree, link: number): number {
  let node = link;
  for (let level = 0; level < 3 && tree.parent[node]! > 0; level++) {
    const above = tree.parent[node]!;
    const alone = above + 1 === node && tree.end[above] === tree.end[node];
    if (tree.tag[above] === TAG.sup) return alone ? above : link;
    if (!alone) break;
    node = above;
  }
  for (let inside = link + 1; inside < tree.end[link]!; inside++) if (tree.tag[inside] === TAG.sup) return link;
  const says = `${tree.attribute(link, 'class') ?? ''} ${tree.attribute(link, 'role') ?? ''}`;
  return /footnote|noteref|fn-?ref/i.test(says) ? link : 0;
}

/** The block of each id: the element itself, or the block around it. */
function blocksById(tree: HtmlTree, ids: Set<string>): Map<string, number> {
  const found = new Map<string, number>();
  for (let node = 1; node < tree.size; node++) {
    if (tree.kind[node] !== ELEMENT) continue;
    const id = tree.attribute(node, 'id') ?? (tree.tag[node] === TAG.a ? tree.attribute(node, 'name') : undefined);
    if (id === undefined || !ids.has(id) || found.has(id)) continue;
    let block = node;
    while (block > 0 && !isBlock(tree.tag[block]!)) block = tree.parent[block]!;
    const tag = tree.tag[block]!;
    const isNote = !isHeading(tag) && tag !== TAG.body && tag !== TAG.article && tag !== TAG.table && tag !== TAG.ol;
    if (block > 0 && isNote) found.set(id, block);
  }
  return found;
}

function freeLabel(text: string, taken: Set<string>): string {
  const own = (MARK_TEXT.exec(text)?.[1] ?? '').replace(/\W+/g, '-');
  if (own !== '' && own !== '-' && !taken.has(own)) return own;
  let number = taken.size + 1;
  while (taken.has(String(number))) number += 1;
  return String(number);
}

function textOf(tree: HtmlTree, root: number): string {
  let text = '';
  for (let node = root; node < tree.end[root]! && text.length < 80; node++) text += tree.text(node);
  return text;
}

// The kept content as plain text for quoting: one line per block, the cells of a row on one line, code unchanged.
import { type HtmlTree, TEXT } from '../../../markup/html/html-tree.ts';
import { DROPPED, type Mask } from '../../../markup/html/node-mask.ts';
import { isBlock, isHeading, TAG, tagSet } from '../../../markup/html/tags.ts';
import { codeText } from '../../markdown/blocks/code-block.ts';
import { type Formula, surveyMath } from '../../markdown/math/formulas.ts';
import { collapseSpace } from '../../markdown/white-space.ts';
import { Asides } from './asides.ts';
import { clip, clipAtWord } from './clip.ts';

export interface BodyText {
  body: string;
  /** One a line. */
  headings: string;
}

export const MAX_BODY = 200_000;
export const MAX_HEADINGS = 10_000;
/** Limits for a cell of a data table. Larger cells are layout and get lines of their own. */
const CELL_NODES = 60;
const CELL_BLOCKS = 2;
// Players, drawings, form fields and ruby annotations are not part of the running text.
const isSkipped = tagSet(
  'svg select textarea rp rt rtc script style template iframe video audio object embed canvas datalist',
);
const isListing = tagSet('pre listing xmp plaintext');
const isCell = tagSet('td th');
const standsApart = tagSet('button label option');
export function bodyText(tree: HtmlTree, kept: Mask): BodyText {
  return new BodyReader(tree, kept, surveyMath(tree, kept).formulas).run();
}

class BodyReader {
  readonly #tree: HtmlTree;
  readonly #mask: Mask;
  readonly #formulas: ReadonlyMap<number, Formula>;
  readonly #asides: Asides;
  readonly #out = new Lines();
  readonly #open = new OpenElements(this.#out);
  /** Before this node, blocks are separated by spaces instead of line breaks. */
  #flatEnd = 0;

  constructor(tree: HtmlTree, mask: Mask, formulas: ReadonlyMap<number, Formula>) {
    this.#tree = tree;
    this.#mask = mask;
    this.#formulas = formulas;
    this.#asides = new Asides(tree);
  }

  run(): BodyText {
    const tree = this.#tree;
    const out = this.#out;
    for (let node = 1; node < tree.size && out.hasRoom(); node++) {
      this.#open.close(node);
      const formula = this.#formulas.get(node);
      if (formula) out.text(` ${formula.tex} `);
      if (formula || this.#mask[node] === DROPPED) node = tree.end[node]! - 1;
      else if (tree.kind[node] === TEXT) out.text(tree.text(node));
      else if (this.#readWhole(node, tree.tag[node]!)) node = tree.end[node]! - 1;
      else this.#startElement(node, tree.tag[node]!);
    }
    this.#open.close(tree.size);
    out.endLine();
    return out.finish();
  }

  /** Writes or skips an element as a whole; false if its children have to be read. */
  #readWhole(node: number, tag: number): boolean {
    if (isSkipped(tag) || this.#asides.has(node, tag)) return true;
    if (isListing(tag) && node >= this.#flatEnd) this.#out.code(codeText(this.#tree, node));
    else return false;
    return true;
  }

  #startElement(node: number, tag: number): void {
    const end = this.#tree.end[node]!;
    const isFlat = node < this.#flatEnd;
    if (isCell(tag) && isSmallCell(this.#tree, node)) {
      this.#out.startCell();
      this.#flatEnd = Math.max(this.#flatEnd, end);
    } else if (standsApart(tag) || (isFlat && (tag === TAG.br || isBlock(tag)))) {
      this.#open.setApart(end);
    } else if (tag === TAG.br) this.#out.endLine();
    else if (isBlock(tag)) {
      this.#open.startBlock(end, isHeading(tag));
      if (isHeading(tag)) this.#flatEnd = end;
    }
  }
}

/** Where the open elements end, innermost last. */
class OpenElements {
  readonly #out: Lines;
  readonly #blocks: number[] = [];
  readonly #apart: number[] = [];
  #headingEnd = 0;

  constructor(out: Lines) {
    this.#out = out;
  }

  startBlock(end: number, isHeading: boolean): void {
    this.#out.endLine();
    this.#blocks.push(end);
    if (isHeading) this.#headingEnd = end;
  }

  /** Separates an element from its surroundings by spaces. */
  setApart(end: number): void {
    this.#out.space();
    this.#apart.push(end);
  }

  /** Closes what ends at or before this node. */
  close(node: number): void {
    const apart = this.#apart;
    while (apart.length > 0 && apart[apart.length - 1]! <= node) {
      apart.pop();
      this.#out.space();
    }
    const blocks = this.#blocks;
    while (blocks.length > 0 && blocks[blocks.length - 1]! <= node) {
      const end = blocks.pop()!;
      this.#out.endLine(end === this.#headingEnd);
      if (end === this.#headingEnd) this.#headingEnd = 0;
    }
  }
}

function isSmallCell(tree: HtmlTree, cell: number): boolean {
  const end = tree.end[cell]!;
  if (end - cell > CELL_NODES) return false;
  let blocks = 0;
  for (let node = cell + 1; node < end; node++) if (isBlock(tree.tag[node]!)) blocks += 1;
  return blocks <= CELL_BLOCKS;
}

class Lines {
  #body = '';
  #headings = '';
  /** Only appended to: reading a growing string would flatten it each time. */
  #line = '';
  #endsInSpace = true;
  #isNewCell = false;

  hasRoom(): boolean {
    return this.#body.length + this.#line.length <= MAX_BODY;
  }

  text(given: string): void {
    const text = collapseSpace(given);
    const added = this.#endsInSpace && text[0] === ' ' ? text.slice(1) : text;
    if (added === '') return;
    if (this.#isNewCell && added !== ' ') {
      if (this.#line !== '') this.#line += this.#endsInSpace ? '| ' : ' | ';
      this.#isNewCell = false;
    }
    this.#line += added;
    this.#endsInSpace = added[added.length - 1] === ' ';
  }

  space(): void {
    if (this.#endsInSpace) return;
    this.#line += ' ';
    this.#endsInSpace = true;
  }

  startCell(): void {
    this.#isNewCell = true;
  }

  endLine(isHeading = false): void {
    const text = this.#line.trimEnd();
    this.#line = '';
    this.#endsInSpace = true;
    this.#isNewCell = false;
    if (text === '') return;
    this.#body += `${text}\n`;
    if (isHeading && this.#headings.length < MAX_HEADINGS) this.#headings += `${text}\n`;
  }

  code(code: string): void {
    this.endLine();
    for (const text of clip(code, MAX_BODY).split('\n')) if (text.trim() !== '') this.#body += `${text.trimEnd()}\n`;
  }

  finish(): BodyText {
    return {
      body: clipAtWord(this.#body.trimEnd(), MAX_BODY),
      headings: clip(this.#headings.trimEnd(), MAX_HEADINGS),
    };
  }
}

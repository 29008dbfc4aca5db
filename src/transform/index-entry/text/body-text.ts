// The kept content as plain text for quoting: one line per block, the cells of a row on one line, code unchanged.
import { type HtmlTree, TEXT } from '../../../markup/html/html-tree.ts';
import { DROPPED, type Mask } from '../../../markup/html/node-mask.ts';
import { isBlock, isHeading, isVoid, TAG, tagSet } from '../../../markup/html/tags.ts';
import { createConcealmentTest } from '../../main-content/blocks/block-flags.ts';
import { codeText } from '../../markdown/blocks/code-block.ts';
import { formulaOf, surveyMath } from '../../markdown/math/formulas.ts';
import { linearMath } from '../../markdown/math/linear-math.ts';
import { collapseSpace } from '../../markdown/white-space.ts';
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
/** Larger elements are never asides: a page may hide all its content until a script shows it. */
const SMALL_ASIDE = 20;

// Players, drawings, form fields and ruby annotations are not part of the running text.
const isSkipped = tagSet(
  'svg select textarea rp rt rtc style template iframe video audio object embed canvas datalist',
);
const isListing = tagSet('pre listing xmp plaintext');
const isCell = tagSet('td th');
const isFormula = tagSet('math mjx-container script');
const standsApart = tagSet('button label option');
// Text for screen readers, names of icons, and edit links of wikis.
const NO_TEXT =
  /(?:^|\s)(?:sr-only|visually-?hidden|screen-reader-text|material-(?:icons|symbols)[\w-]*|mw-editsection)(?:\s|$)/;
const NO_WORD = /^[^\p{L}\p{N}]*$/u;

export function bodyText(tree: HtmlTree, kept: Mask): BodyText {
  const { mask } = surveyMath(tree, kept);
  const isAside = createAsideTest(tree);
  const out = createLines();
  const open = createOpenElements(out);
  // Before this node, blocks are separated by spaces instead of line breaks.
  let flatEnd = 0;

  /** Writes or skips an element as a whole; false if its children have to be read. */
  const readWhole = (node: number, tag: number): boolean => {
    if (isSkipped(tag) || isAside(node, tag)) return true;
    if (isFormula(tag)) out.text(formulaText(tree, node, tag));
    else if (isListing(tag) && node >= flatEnd) out.code(codeText(tree, node));
    else return false;
    return true;
  };

  for (let node = 1; node < tree.size && out.hasRoom(); node++) {
    open.close(node);
    const end = tree.end[node]!;
    const tag = tree.tag[node]!;
    const isFlat = node < flatEnd;
    if (mask[node] === DROPPED) node = end - 1;
    else if (tree.kind[node] === TEXT) out.text(tree.text(node));
    else if (readWhole(node, tag)) node = end - 1;
    else if (isCell(tag) && isSmallCell(tree, node)) {
      out.startCell();
      flatEnd = Math.max(flatEnd, end);
    } else if (standsApart(tag) || (isFlat && (tag === TAG.br || isBlock(tag)))) {
      open.setApart(end);
    } else if (tag === TAG.br) out.endLine();
    else if (isBlock(tag)) {
      open.startBlock(end, isHeading(tag));
      if (isHeading(tag)) flatEnd = end;
    }
  }
  open.close(tree.size);
  out.endLine();
  return out.finish();
}

interface OpenElements {
  startBlock(end: number, isHeading: boolean): void;
  /** Separates an element from its surroundings by spaces. */
  setApart(end: number): void;
  /** Closes what ends at or before this node. */
  close(node: number): void;
}

function createOpenElements(out: Lines): OpenElements {
  // Where the open elements end, innermost last.
  const blocks: number[] = [];
  const apart: number[] = [];
  let headingEnd = 0;
  return {
    startBlock(end, isHeading) {
      out.endLine();
      blocks.push(end);
      if (isHeading) headingEnd = end;
    },
    setApart(end) {
      out.space();
      apart.push(end);
    },
    close(node) {
      while (apart.length > 0 && apart[apart.length - 1]! <= node) {
        apart.pop();
        out.space();
      }
      while (blocks.length > 0 && blocks[blocks.length - 1]! <= node) {
        const end = blocks.pop()!;
        out.endLine(end === headingEnd);
        if (end === headingEnd) headingEnd = 0;
      }
    },
  };
}

function isSmallCell(tree: HtmlTree, cell: number): boolean {
  const end = tree.end[cell]!;
  if (end - cell > CELL_NODES) return false;
  let blocks = 0;
  for (let node = cell + 1; node < end; node++) if (isBlock(tree.tag[node]!)) blocks += 1;
  return blocks <= CELL_BLOCKS;
}

/** Recognises inline elements that are not part of the text: hidden ones, footnote marks, heading anchors. */
function createAsideTest(tree: HtmlTree): (node: number, tag: number) => boolean {
  const isConcealed = createConcealmentTest(tree);
  const classOf = tree.attributeReader('class');
  const hiddenOf = tree.attributeReader('hidden');
  const ariaHiddenOf = tree.attributeReader('aria-hidden');
  const styleOf = tree.attributeReader('style');
  const isJump = (link: number) => tree.attribute(link, 'href')?.[0] === '#';
  return (node, tag) => {
    if (tree.end[node]! - node > SMALL_ASIDE || isBlock(tag) || isVoid(tag)) return false;
    if (tag === TAG.sup && tree.tag[node + 1] === TAG.a) return isJump(node + 1);
    if (tag === TAG.a && tree.end[node] === node + 2 && isJump(node)) return NO_WORD.test(tree.text(node + 1));
    const names = classOf(node);
    if (names !== undefined && NO_TEXT.test(names)) return true;
    // The full test is expensive, and most elements have none of these attributes.
    const mayBe = (ariaHiddenOf(node) ?? styleOf(node) ?? hiddenOf(node)) !== undefined;
    return mayBe && isConcealed(node);
  };
}

function formulaText(tree: HtmlTree, node: number, tag: number): string {
  const formula = formulaOf(tree, node);
  return formula ? ` ${formula.tex} ` : tag === TAG.math ? ` ${linearMath(tree, node)} ` : '';
}

interface Lines {
  hasRoom(): boolean;
  text(text: string): void;
  space(): void;
  startCell(): void;
  endLine(isHeading?: boolean): void;
  code(code: string): void;
  finish(): BodyText;
}

function createLines(): Lines {
  let body = '';
  let headings = '';
  // Only appended to: reading a growing string would flatten it each time.
  let line = '';
  let endsInSpace = true;
  let isNewCell = false;

  const space = () => {
    if (endsInSpace) return;
    line += ' ';
    endsInSpace = true;
  };
  const endLine = (isHeading = false) => {
    const text = line.trimEnd();
    line = '';
    endsInSpace = true;
    isNewCell = false;
    if (text === '') return;
    body += `${text}\n`;
    if (isHeading && headings.length < MAX_HEADINGS) headings += `${text}\n`;
  };

  return {
    space,
    endLine,
    hasRoom: () => body.length + line.length <= MAX_BODY,
    text(given) {
      const text = collapseSpace(given);
      const added = endsInSpace && text[0] === ' ' ? text.slice(1) : text;
      if (added === '') return;
      if (isNewCell && added !== ' ') {
        if (line !== '') line += endsInSpace ? '| ' : ' | ';
        isNewCell = false;
      }
      line += added;
      endsInSpace = added[added.length - 1] === ' ';
    },
    startCell() {
      isNewCell = true;
    },
    code(code) {
      endLine();
      for (const text of clip(code, MAX_BODY).split('\n')) if (text.trim() !== '') body += `${text.trimEnd()}\n`;
    },
    finish: () => ({ body: clipAtWord(body.trimEnd(), MAX_BODY), headings: clip(headings.trimEnd(), MAX_HEADINGS) }),
  };
}

// Narrows the mask of a page to its main content: the blocks that the extractor keeps, the structure around them, and
// the images, rules and embeds among them.
import type { HtmlTree } from '../../markup/html/html-tree.ts';
import type { Mask } from '../../markup/html/node-mask.ts';
import { TAG } from '../../markup/html/tags.ts';
import { statedText } from './article-json-ld.ts';
import { FLAG } from './blocks/block-flags.ts';
import { isUnseen, linkShareOf } from './blocks/block-sums.ts';
import { ROLE } from './blocks/block-table.ts';
import { type Block, elementAround } from './blocks/blocks.ts';
import { dropNamedBoxes } from './choice/named-boxes.ts';
import type { Extractor } from './extractor.ts';
import { dropLooseEnd } from './output/loose-end.ts';
import { maskChoice } from './output/mask-choice.ts';
import { isBeside } from './output/media.ts';
import { keepTitle } from './output/page-title.ts';

export interface MainContent {
  quality: number;
  /** Text from the page's JSON-LD, used when the page has no readable content. */
  replacementText: string | undefined;
}

// With fewer words there is nothing to choose from. If the page has more, the extraction failed.
const NEARLY_NOTHING = 12;
const STATED_TEXT_RATIO = 4;
const FURNITURE = FLAG.nav | FLAG.footer | FLAG.aside | FLAG.header | FLAG.form | FLAG.dialog | FLAG.menu;
const FIGURE = FLAG.pre | FLAG.table | FLAG.item | FLAG.definition;
// A table is kept as a whole if at least this share of its words is kept. Of a table with few words, any part is enough.
const TABLE_SHARE = 0.3;
const FEW_TABLE_WORDS = 15;
const MAX_LINKS = 0.5;
// From the text of a cell to its table: boxes in the cell, the cell, the row and its group.
const ARIA_LEVELS = 6;

interface ReadablePage {
  tree: HtmlTree;
  mask: Mask;
  url: string;
  blockAds: boolean;
  /** Elements that the mask does not have. */
  banners: readonly number[];
}

export function keepMainContent({ tree, mask, url, blockAds, banners }: ReadablePage, extract: Extractor): MainContent {
  const structured = statedText(tree);
  const extraction = extract(tree, url, structured);
  const { blocks, keep } = extraction;
  let { quality } = extraction;
  const leaveOutBanners = (): void => {
    for (const node of banners) keep.fill(0, blocks.firstBlock[node]!, blocks.lastBlock[node]!);
  };
  leaveOutBanners();
  if (blockAds) dropNamedBoxes(extraction.table, keep, extraction.probability);
  const pageWords = wordsOf(blocks.list, () => true);
  const keptWords = wordsOf(blocks.list, (index) => keep[index] === 1);
  if (keptWords < NEARLY_NOTHING) {
    const statedWords = structured ? structured.text.split(/\s+/).length : 0;
    if (structured && statedWords > STATED_TEXT_RATIO * keptWords) return { quality, replacementText: structured.text };
    keepBody(blocks.list, keep);
    leaveOutBanners();
    if (pageWords > keptWords) quality = 0;
  }
  completeTables(tree, blocks.list, keep);
  keepFiguresAmong(tree, blocks.list, extraction.table.roles, keep);
  keepTitle(tree, blocks.list, keep);
  dropLooseEnd(tree, mask, blocks.list, keep);
  maskChoice(tree, mask, blocks.list, keep);
  return { quality, replacementText: undefined };
}

const wordsOf = (list: Block[], counts: (index: number) => boolean): number =>
  list.reduce((sum, { stats }, index) => (counts(index) ? sum + stats.words : sum), 0);

const isText = (block: Block): boolean => (block.flags & FURNITURE) === 0 && !isUnseen(block);

/** Fallback: everything visible outside navigation, headers, footers and forms. */
function keepBody(list: Block[], keep: Uint8Array): void {
  const some = list.some((block) => isText(block) && linkShareOf(block) < 0.5);
  for (const [index, block] of list.entries()) keep[index] = (some ? isText(block) : !isUnseen(block)) ? 1 : 0;
}

/** Keeps partly kept tables as a whole: columns are meaningless without their headers. */
function completeTables(tree: HtmlTree, list: Block[], keep: Uint8Array): void {
  /** By table: the words of its kept blocks, and of all. */
  const words = new Map<number, { kept: number; all: number }>();
  const tables = new TableFinder(tree);
  for (let index = 0; index < list.length; index++) {
    const table = tables.around(list[index]!);
    if (table === 0) continue;
    const sum = words.get(table) ?? { kept: 0, all: 0 };
    sum.all += list[index]!.stats.words;
    if (keep[index] === 1) sum.kept += list[index]!.stats.words;
    words.set(table, sum);
  }
  if (words.size === 0) return;
  for (let index = 0; index < list.length; index++) {
    const sum = words.get(tables.around(list[index]!));
    if (sum && sum.kept > 0 && (sum.all <= FEW_TABLE_WORDS || sum.kept >= sum.all * TABLE_SHARE)) keep[index] = 1;
  }
}

const ARIA_TABLE = /^(?:table|(?:tree)?grid)$/;

/** Finds the table around a block, also one that only its role makes a table. */
class TableFinder {
  readonly #tree: HtmlTree;
  readonly #role: number;

  constructor(tree: HtmlTree) {
    this.#tree = tree;
    this.#role = tree.attributeNumber('role');
  }

  around(block: Block): number {
    const tree = this.#tree;
    if ((block.flags & FLAG.table) !== 0) return elementAround(tree, block, TAG.table);
    if (this.#role < 0) return 0;
    for (let node = block.container, level = 0; node > 0 && level < ARIA_LEVELS; level++, node = tree.parent[node]!) {
      if (ARIA_TABLE.test(tree.attributeAt(node, this.#role) ?? '')) return node;
    }
    return 0;
  }
}

/**
 * Keeps code, tables and lists between two kept blocks, however little they resemble prose. Captions and pointers in
 * between may be missing. Code and tables close to one kept block are enough.
 */
function keepFiguresAmong(tree: HtmlTree, list: Block[], roles: Uint8Array, keep: Uint8Array): void {
  const isFigure = (block: Block | undefined) =>
    block !== undefined && (block.flags & FIGURE) !== 0 && isText(block) && linkShareOf(block) < MAX_LINKS;
  const isLeftOut = (index: number) => keep[index] === 0 && (roles[index]! & (ROLE.caption | ROLE.pointer)) !== 0;
  for (let index = 0; index < list.length; index++) {
    if (!isFigure(list[index])) continue;
    const start = index;
    while (isFigure(list[index])) index += 1;
    let before = start - 1;
    while (isLeftOut(before)) before -= 1;
    let after = index;
    while (isLeftOut(after)) after += 1;
    const isKept = keep[before] === 1 && keep[after] === 1;
    const isLast = keep[before] === 1 && isBesideFigure(tree, list[start]!, list[before]!);
    const isFirst = keep[after] === 1 && isBesideFigure(tree, list[index - 1]!, list[after]!);
    if (isKept || isLast || isFirst) keep.fill(1, start, index);
  }
}

function isBesideFigure(tree: HtmlTree, block: Block, other: Block): boolean {
  const tag = (block.flags & FLAG.pre) !== 0 ? TAG.pre : TAG.table;
  const figure = elementAround(tree, block, tag);
  return figure > 0 && isBeside(tree, figure, other);
}

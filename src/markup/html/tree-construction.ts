// Tree construction: which elements a tag opens and closes. It follows the HTML specification where pages depend on it
// (implied tags, tables, forms, misnested formatting) and takes linear time on any input.
import { MAX_TAGS, type TreeBuilder } from './flat-tree.ts';
import { OpenElements } from './open-elements.ts';
import type { HtmlTokens } from './scan-html.ts';
import {
  belongsInHead,
  closesParagraph,
  endsForeignContent,
  isFormatting,
  isHeading,
  isScope,
  isSpecial,
  isTablePart,
  isVoid,
  TAG,
  tagSet,
} from './tags.ts';

// How many misnested blocks a formatting end tag reopens; further ones stay closed.
const MAX_SPLIT = 8;

const isListBoundary = (tag: number) => isSpecial(tag) && tag !== TAG.address && tag !== TAG.div && tag !== TAG.p;
const isParagraphBoundary = (tag: number) => isScope(tag) || tag === TAG.button;
const isTableOrTemplate = tagSet('table template html');
const isCell = tagSet('td th');
const isRowGroup = tagSet('thead tbody tfoot');
const isDefinition = tagSet('dt dd');
const isRubyText = tagSet('rt rp rb rtc');
const isOption = tagSet('option');
const isOptionOrGroup = tagSet('option optgroup');
const isSelectBoundary = tagSet('select datalist');
const only = (tag: number) => (other: number) => other === tag;
const isParagraph = only(TAG.p);
const isListItem = only(TAG.li);
const isLink = only(TAG.a);
const isButton = only(TAG.button);
const isTable = only(TAG.table);
const isRow = only(TAG.tr);
const isTemplate = only(TAG.template);
const isHead = only(TAG.head);

export class TreeConstruction implements HtmlTokens {
  readonly #tree: TreeBuilder;
  readonly #open: OpenElements;
  #htmlNode = 0;
  #bodyNode = 0;

  constructor(tree: TreeBuilder, maxDepth: number) {
    this.#tree = tree;
    this.#open = new OpenElements(tree, maxDepth);
  }

  get inForeignContent(): boolean {
    return this.#open.inForeignContent;
  }

  /** True once something was nested deeper than the limit. */
  get flattened(): boolean {
    return this.#open.flattened;
  }

  text(start: number, end: number, decoded: string | undefined): void {
    if (dropsBlanks(this.#open)) {
      if (this.#tree.isBlank(start, end, decoded)) return;
      if (!isTablePart(this.#open.top)) this.#enterDocument(TAG.p);
    }
    this.#tree.addText(this.#open.parent, start, end, decoded);
  }

  startTag(tag: number, first: number, count: number, selfClosing: boolean): void {
    if (this.#open.inForeignContent) {
      if (!endsForeignContent(tag)) {
        this.#open.push(tag, first, count);
        if (selfClosing) this.#open.pop();
        return;
      }
      while (this.#open.inForeignContent) this.#open.pop();
    }
    if (this.#documentTag(tag, first, count)) return;
    this.#enterDocument(tag);
    // Browsers ignore the tag of a nested form and keep its content.
    if (tag === TAG.form && this.#open.count(TAG.form) > 0) return;
    this.#closeImplied(tag);
    if (TABLE_TAGS(tag)) this.#enterTable(tag);
    this.#open.push(tag, first, count);
    if (isVoid(tag) || (selfClosing && this.#open.inForeignContent)) this.#open.pop();
  }

  endTag(tag: number): void {
    if (tag === TAG.html || tag === TAG.body) return;
    if (tag === TAG.br || (tag === TAG.p && !this.#open.reaches(isParagraph, isParagraphBoundary))) {
      // Browsers read a stray </br> as <br> and a stray </p> as an empty paragraph.
      if (!this.#open.inForeignContent) this.startTag(tag, 0, 0, false);
      if (tag === TAG.br) return;
    }
    if (tag < MAX_TAGS && this.#open.count(tag) > 0) this.#closeOpen(tag);
  }

  /** Closes an element that is open, with or without its descendants. */
  #closeOpen(tag: number): void {
    if (this.#open.top === tag) this.#open.pop();
    else if (tag === TAG.form) this.#open.forget(tag);
    else if (isFormatting(tag)) this.#closeFormatting(tag);
    else if (isHeading(tag)) this.#open.closeThrough(isHeading, isScope);
    else if (isTablePart(tag) || isCell(tag))
      this.#open.closeThrough(only(tag), tag === TAG.table ? isTemplate : isTable);
    else this.#open.closeThrough(only(tag), isScope);
  }

  finish(): void {
    while (this.#open.depth > 0) this.#open.pop();
  }

  #imply(tag: number): number {
    return this.#open.push(tag, 0, 0);
  }

  /** Pages may omit or repeat html, head and body; the tree has each of them once. */
  #enterDocument(tag: number): void {
    if (this.#open.depth === 0) this.#htmlNode = this.#imply(TAG.html);
    if (tag === TAG.head || this.#bodyNode !== 0) return;
    if (belongsInHead(tag)) {
      if (this.#open.top === TAG.html && this.#tree.size === this.#htmlNode + 1) this.#imply(TAG.head);
      return;
    }
    if (this.#open.top === TAG.head) this.#open.pop();
    if (this.#open.top === TAG.html) this.#bodyNode = this.#imply(TAG.body);
  }

  #documentTag(tag: number, first: number, count: number): boolean {
    if (tag !== TAG.html && tag !== TAG.head && tag !== TAG.body) return false;
    if (tag === TAG.html) {
      if (this.#open.depth === 0) this.#htmlNode = this.#open.push(tag, first, count);
      else this.#adopt(this.#htmlNode, first, count);
    } else if (tag === TAG.body) {
      if (this.#bodyNode !== 0) this.#adopt(this.#bodyNode, first, count);
      else {
        if (this.#open.depth === 0) this.#htmlNode = this.#imply(TAG.html);
        this.#open.closeThrough(isHead, isScope);
        this.#bodyNode = this.#open.push(tag, first, count);
      }
    } else if (this.#bodyNode === 0 && this.#open.count(TAG.head) === 0) {
      this.#enterDocument(tag);
      this.#open.push(tag, first, count);
    }
    return true;
  }

  /** A repeated html or body tag passes its attributes to the first one, if that has none. */
  #adopt(node: number, first: number, count: number): void {
    if (this.#tree.attributesOf(node)[1] === 0) this.#tree.setAttributes(node, first, count);
  }

  #closeImplied(tag: number): void {
    if (this.#open.count(TAG.p) > 0 && closesParagraph(tag)) this.#open.closeThrough(isParagraph, isParagraphBoundary);
    const replacesTop =
      (isHeading(tag) && isHeading(this.#open.top)) || (isRubyText(tag) && isRubyText(this.#open.top));
    if (replacesTop) this.#open.pop();
    else if (tag === TAG.li) this.#open.closeThrough(isListItem, isListBoundary);
    else if (isDefinition(tag)) this.#open.closeThrough(isDefinition, isListBoundary);
    else if (tag === TAG.a && this.#open.reaches(isLink, isScope)) this.endTag(TAG.a);
    else if (tag === TAG.button) this.#open.closeThrough(isButton, isScope);
    else if (tag === TAG.option) this.#open.closeThrough(isOption, isSelectBoundary);
    else if (tag === TAG.optgroup) this.#open.closeThrough(isOptionOrGroup, isSelectBoundary);
  }

  /** Puts rows into row groups and cells into rows, as browsers do, so that selectors match the same. */
  #enterTable(tag: number): void {
    if (tag === TAG.table) {
      if (isTablePart(this.#open.top)) this.#open.closeThrough(isTable, isTableOrTemplate);
      return;
    }
    if (!this.#open.reaches(isTable, isTemplate)) return;
    if (isCell(tag)) {
      if (this.#open.reaches(isRow, isTableOrTemplate)) this.#open.closeUpTo(isRow);
      else {
        this.#enterRowGroup();
        this.#imply(TAG.tr);
      }
    } else if (tag === TAG.tr) this.#enterRowGroup();
    else this.#open.closeUpTo(isTable);
  }

  #enterRowGroup(): void {
    if (this.#open.reaches(isRowGroup, isTableOrTemplate)) this.#open.closeUpTo(isRowGroup);
    else {
      this.#open.closeUpTo(isTable);
      this.#imply(TAG.tbody);
    }
  }

  /** `<b><p>one</b> two</p>`: blocks that the end tag cuts through continue without the formatting. */
  #closeFormatting(tag: number): void {
    const cut = this.#open.specialsAbove(only(tag), isScope, MAX_SPLIT);
    if (cut === undefined) return;
    this.#open.closeThrough(only(tag), isScope);
    for (const [blockTag, node] of cut) {
      const [first, count] = this.#tree.attributesOf(node);
      this.#open.push(blockTag, first, count);
    }
  }
}

const TABLE_TAGS = tagSet('table caption colgroup thead tbody tfoot tr td th');

const dropsBlanks = (open: OpenElements) =>
  open.depth === 0 || open.top === TAG.html || open.top === TAG.head || isTablePart(open.top);

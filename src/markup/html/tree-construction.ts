// Tree construction: which elements a tag opens and closes. It follows the HTML specification where pages depend on it
// (implied tags, tables, forms, misnested formatting) and stays linear on any input.
import { MAX_TAGS, type TreeBuilder } from './flat-tree.ts';
import { createOpenElements, type OpenElements } from './open-elements.ts';
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

export interface Construction extends HtmlTokens {
  /** True once something was nested deeper than the limit. */
  readonly flattened: boolean;
  finish(): void;
}

// How many misplaced blocks an inline end tag splits before it simply closes them.
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

export function createConstruction(tree: TreeBuilder, maxDepth: number): Construction {
  const open = createOpenElements(tree, maxDepth);
  let htmlNode = 0;
  let bodyNode = 0;

  const imply = (tag: number) => open.push(tag, 0, 0);

  /** A page may leave out html, head and body, or repeat them; a reader finds each of them once. */
  function enterDocument(tag: number): void {
    if (open.depth === 0) htmlNode = imply(TAG.html);
    if (tag === TAG.head || bodyNode !== 0) return;
    if (belongsInHead(tag)) {
      if (open.top === TAG.html && tree.size === htmlNode + 1) imply(TAG.head);
      return;
    }
    if (open.top === TAG.head) open.pop();
    if (open.top === TAG.html) bodyNode = imply(TAG.body);
  }

  function documentTag(tag: number, first: number, count: number): boolean {
    if (tag !== TAG.html && tag !== TAG.head && tag !== TAG.body) return false;
    if (tag === TAG.html) {
      if (open.depth === 0) htmlNode = open.push(tag, first, count);
      else adopt(htmlNode, first, count);
    } else if (tag === TAG.body) {
      if (bodyNode !== 0) adopt(bodyNode, first, count);
      else {
        if (open.depth === 0) htmlNode = imply(TAG.html);
        open.closeThrough(isHead, isScope);
        bodyNode = open.push(tag, first, count);
      }
    } else if (bodyNode === 0 && open.count(TAG.head) === 0) {
      enterDocument(tag);
      open.push(tag, first, count);
    }
    return true;
  }

  /** A repeated html or body tag gives its attributes to the first one, if that was only implied. */
  function adopt(node: number, first: number, count: number): void {
    if (tree.attributesOf(node)[1] === 0) tree.setAttributes(node, first, count);
  }

  function closeImplied(tag: number): void {
    if (open.count(TAG.p) > 0 && closesParagraph(tag)) open.closeThrough(isParagraph, isParagraphBoundary);
    if (isHeading(tag)) {
      if (isHeading(open.top)) open.pop();
    } else if (tag === TAG.li) open.closeThrough(isListItem, isListBoundary);
    else if (isDefinition(tag)) open.closeThrough(isDefinition, isListBoundary);
    else if (tag === TAG.a) {
      if (open.reaches(isLink, isScope)) endTag(TAG.a);
    } else if (tag === TAG.button) open.closeThrough(isButton, isScope);
    else if (tag === TAG.option) open.closeThrough(isOption, isSelectBoundary);
    else if (tag === TAG.optgroup) open.closeThrough(isOptionOrGroup, isSelectBoundary);
    else if (isRubyText(tag) && isRubyText(open.top)) open.pop();
  }

  /** Puts rows into row groups and cells into rows, as every browser does, so that selectors and tables read the same. */
  function enterTable(tag: number): void {
    if (tag === TAG.table) {
      if (isTablePart(open.top)) open.closeThrough(isTable, isTableOrTemplate);
      return;
    }
    if (!open.reaches(isTable, isTemplate)) return;
    if (isCell(tag)) {
      if (open.reaches(isRow, isTableOrTemplate)) open.closeUpTo(isRow);
      else {
        enterRowGroup();
        imply(TAG.tr);
      }
    } else if (tag === TAG.tr) enterRowGroup();
    else open.closeUpTo(isTable);
  }

  function enterRowGroup(): void {
    if (open.reaches(isRowGroup, isTableOrTemplate)) open.closeUpTo(isRowGroup);
    else {
      open.closeUpTo(isTable);
      imply(TAG.tbody);
    }
  }

  function startTag(tag: number, first: number, count: number, selfClosing: boolean): void {
    if (open.inForeignContent) {
      if (!endsForeignContent(tag)) {
        open.push(tag, first, count);
        if (selfClosing) open.pop();
        return;
      }
      while (open.inForeignContent) open.pop();
    }
    if (documentTag(tag, first, count)) return;
    enterDocument(tag);
    // A form inside a form does not exist; browsers ignore the tag and keep the content.
    if (tag === TAG.form && open.count(TAG.form) > 0) return;
    closeImplied(tag);
    if (TABLE_TAGS(tag)) enterTable(tag);
    open.push(tag, first, count);
    if (isVoid(tag) || (selfClosing && open.inForeignContent)) open.pop();
  }

  function endTag(tag: number): void {
    if (tag === TAG.html || tag === TAG.body) return;
    if (tag === TAG.br || (tag === TAG.p && !open.reaches(isParagraph, isParagraphBoundary))) {
      // Browsers read a stray </br> as <br> and a stray </p> as an empty paragraph.
      if (!open.inForeignContent) startTag(tag, 0, 0, false);
      if (tag === TAG.br) return;
    }
    if (tag >= MAX_TAGS || open.count(tag) === 0) return;
    if (open.top === tag) open.pop();
    else if (tag === TAG.form) open.forget(tag);
    else if (isFormatting(tag)) closeFormatting(tag);
    else if (isHeading(tag)) open.closeThrough(isHeading, isScope);
    else if (isTablePart(tag) || isCell(tag)) open.closeThrough(only(tag), tag === TAG.table ? isTemplate : isTable);
    else open.closeThrough(only(tag), isScope);
  }

  /** `<b><p>one</b> two</p>`: the blocks that the end tag cuts through go on after it, without the formatting. */
  function closeFormatting(tag: number): void {
    const cut = open.specialsAbove(only(tag), isScope, MAX_SPLIT);
    if (cut === undefined) return;
    open.closeThrough(only(tag), isScope);
    for (const [blockTag, node] of cut) {
      const [first, count] = tree.attributesOf(node);
      open.push(blockTag, first, count);
    }
  }

  return {
    startTag,
    endTag,
    text(start, end, decoded) {
      if (dropsBlanks(open)) {
        if (tree.isBlank(start, end, decoded)) return;
        if (!isTablePart(open.top)) enterDocument(TAG.p);
      }
      tree.addText(open.parent, start, end, decoded);
    },
    get inForeignContent() {
      return open.inForeignContent;
    },
    get flattened() {
      return open.flattened;
    },
    finish() {
      while (open.depth > 0) open.pop();
    },
  };
}

const TABLE_TAGS = tagSet('table caption colgroup thead tbody tfoot tr td th');

const dropsBlanks = (open: OpenElements) =>
  open.depth === 0 || open.top === TAG.html || open.top === TAG.head || isTablePart(open.top);

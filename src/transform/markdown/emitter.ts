// Walks the kept nodes and writes them as Markdown: blocks go to the block writer, text to the inline builder.
// The recursion is bounded by the depth limit of the HTML parser.
import { type HtmlTree, ROOT, TEXT } from '../../markup/html/html-tree.ts';
import { DROPPED, KEPT, type Mask } from '../../markup/html/node-mask.ts';
import type { PageUrls } from '../../markup/html/page-urls.ts';
import { isBlock, isInvisible } from '../../markup/html/tags.ts';
import { type BlockWriter, CellWriter } from './blocks/block-writer.ts';
import type { Footnotes } from './footnotes.ts';
import { Inline } from './inline/inline.ts';
import type { Mark } from './inline/inline-run.ts';
import { isTooltip } from './inline/tooltip.ts';
import { type Formula, formulaMarkdown } from './math/formulas.ts';
import { DELIMITED, delimitedFormula, isMathBox } from './math/tex-in-text.ts';

export interface EmitContext {
  tree: HtmlTree;
  mask: Mask;
  urls: PageUrls;
  removeBase64Images: boolean;
  footnotes: Footnotes;
  /** Formulas by the elements that show them. */
  formulas: ReadonlyMap<number, Formula>;
  /** Whether the text of the page contains TeX between delimiters. */
  texInText: boolean;
}

/** Writes one element. Elements without a handler are blocks or just their children. */
export type Handler = (emitter: Emitter, node: number, tag: number) => void;

/** What a role says counts more than the tag. */
export interface Handlers {
  byTag: readonly (Handler | undefined)[];
  byRole: ReadonlyMap<string, Handler>;
}

export interface OpenList {
  ordered: boolean;
  /** Number of the next item. */
  next: number;
  tight: boolean;
  started: boolean;
  /** Whether it has one item, and so had the lists that it continues. */
  single: boolean;
  marker: string;
  /** Width of the last item's marker. */
  indent: number;
}

const LINE_BREAK = '  \n';
const CELL_BREAK = '<br>';

export class Emitter {
  readonly context: EmitContext;
  readonly tree: HtmlTree;
  readonly lists: OpenList[] = [];
  /** The list that was written last. */
  previousList: OpenList | undefined;
  #handlers: Handlers;
  #role: number;
  #writer: BlockWriter;
  #inline = new Inline(LINE_BREAK);
  // Headings, terms and captions are always a single line.
  #singleLine = false;
  #insideCell = false;
  #insideNote = false;
  // A later sibling that was dealt with together with an earlier one.
  #skipped = -1;

  constructor(context: EmitContext, handlers: Handlers, writer: BlockWriter) {
    this.context = context;
    this.tree = context.tree;
    this.#handlers = handlers;
    this.#role = this.tree.attributeNumber('role');
    this.#writer = writer;
  }

  get writer(): BlockWriter {
    return this.#writer;
  }

  get singleLine(): boolean {
    return this.#singleLine;
  }

  get insideCell(): boolean {
    return this.#insideCell;
  }

  get insideNote(): boolean {
    return this.#insideNote;
  }

  visit(node: number): void {
    const state = this.context.mask[node];
    const kind = this.tree.kind[node];
    const formula = this.context.formulas.get(node);
    if (formula) this.formula(formula);
    if (formula || (state === DROPPED && kind !== ROOT) || node === this.#skipped) return;
    if (kind === TEXT) {
      if (this.tree.isBlank(node)) this.#inline.space();
      else this.#textNode(node, this.tree.text(node));
      return;
    }
    const tag = this.tree.tag[node]!;
    if (this.#singleLine && isTooltip(this.tree, node)) return;
    const label = this.context.footnotes.label(node);
    const handler = state === KEPT ? this.#handlerOf(node, tag) : undefined;
    if (label !== undefined && !this.#singleLine) this.#note(node, label);
    else if (handler) handler(this, node, tag);
    else if (isBlock(tag)) this.block(node);
    else if (!isInvisible(tag)) this.children(node);
  }

  #handlerOf(node: number, tag: number): Handler | undefined {
    const role = this.tree.attributeAt(node, this.#role);
    return (role === undefined ? undefined : this.#handlers.byRole.get(role)) ?? this.#handlers.byTag[tag];
  }

  /** A footnote definition, with its further lines indented. */
  #note(node: number, label: string): void {
    this.boundary();
    this.#writer.enter({ kind: 'item', first: `[^${label}]: `, rest: '    ', tight: true });
    this.#insideNote = true;
    this.children(node);
    this.boundary();
    this.#insideNote = false;
    this.#writer.leave();
  }

  /** `[^1]`, or the mark's own text if its note is not part of the content. */
  footnoteMark(mark: string): void {
    if (mark.startsWith('[^')) this.raw(mark);
    else this.text(mark);
  }

  #textNode(node: number, text: string): void {
    const hasTex =
      this.context.texInText || ((text.includes('\\') || text.includes('$')) && isMathBox(this.tree, node));
    let from = 0;
    for (const match of hasTex ? text.matchAll(DELIMITED) : []) {
      this.#inline.text(text.slice(from, match.index));
      this.formula(delimitedFormula(match));
      from = match.index + match[0].length;
    }
    this.#inline.text(text.slice(from));
  }

  formula(formula: Formula): void {
    if (formula.tex === '') return;
    const ownBlock = formula.display && !this.#singleLine && !this.#insideCell;
    if (ownBlock) this.boundary();
    // In a table, a bar would end the cell, and `\|` is another command in TeX.
    const tex = this.#insideCell ? formula.tex.replace(/\|/g, '\\vert ') : formula.tex;
    this.raw(formulaMarkdown({ ...formula, tex }));
    if (ownBlock) this.boundary();
  }

  /** Leaves out this sibling, which comes later. */
  skip(node: number): void {
    this.#skipped = node;
  }

  children(node: number): void {
    const { end } = this.tree;
    for (let child = node + 1; child < end[node]!; child = end[child]!) this.visit(child);
  }

  block(node: number): void {
    this.boundary();
    this.children(node);
    this.boundary();
  }

  /** Ends the current run of text. */
  boundary(): void {
    if (this.#singleLine) this.#inline.space();
    else {
      const text = this.#inline.take(true);
      if (text !== '') this.#writer.block('text', text.split('\n'));
    }
  }

  text(text: string): void {
    this.#inline.text(text);
  }

  /** Adds finished Markdown to the run of text. */
  raw(markdown: string): void {
    if (markdown !== '') this.#inline.raw(markdown);
  }

  /** A code block; in a single line or a table cell, each of its lines becomes a code span. */
  listing(lines: string[]): void {
    this.boundary();
    const isOwnBlock = !this.#singleLine && !this.#insideCell;
    if (isOwnBlock && lines.length > 0) this.#writer.block('code', lines);
    if (isOwnBlock) return;
    for (const line of lines.slice(1, -1)) {
      this.code(line.trim());
      this.lineBreak();
    }
    this.boundary();
  }

  code(text: string): void {
    if (text !== '') this.#inline.code(text);
  }

  linkedCode(text: string, url: string): void {
    this.#inline.open({ kind: 'link', url, title: '' });
    this.code(text);
    this.#inline.close();
  }

  /** Separates the next text from the previous one. */
  space(): void {
    this.#inline.space();
  }

  lineBreak(): void {
    if (this.#singleLine) this.#inline.space();
    else if (!this.#inline.lineBreak()) this.boundary();
  }

  marked(node: number, mark: Mark): void {
    this.#inline.open(mark);
    this.children(node);
    this.#inline.close();
  }

  /** The content as one line; '' inside another line, which it becomes part of. */
  line(node: number, mark?: Mark): string {
    this.boundary();
    if (this.#singleLine) {
      this.children(node);
      return '';
    }
    this.#singleLine = true;
    if (mark) this.marked(node, mark);
    else this.children(node);
    this.#singleLine = false;
    return this.#inline.take(false);
  }

  /** The content as one table cell. */
  cell(node: number): string {
    const [writer, inline] = [this.#writer, this.#inline];
    this.#writer = new CellWriter();
    this.#inline = new Inline(CELL_BREAK);
    this.#insideCell = true;
    this.block(node);
    const text = this.#writer.finish();
    this.#insideCell = false;
    [this.#writer, this.#inline] = [writer, inline];
    return text;
  }
}

// The walk that turns kept nodes into Markdown: blocks go to the writer, runs of text to the inline builder.
// It recurses, but never deeper than the parser's depth limit.
import { DROPPED, KEPT, type Mask } from '../html/mask.ts';
import { isBlock, isInvisible } from '../html/tags.ts';
import { type HtmlTree, ROOT, TEXT } from '../html/tree.ts';
import type { PageUrls } from '../html/urls.ts';
import { type BlockWriter, createCellWriter } from './block-writer.ts';
import { createInline, type Inline } from './inline.ts';
import type { Mark } from './run.ts';

export interface EmitContext {
  tree: HtmlTree;
  mask: Mask;
  urls: PageUrls;
  removeBase64Images: boolean;
}

/** What a tag does when it is met; tags without a handler are blocks or simply their content. */
export type Handler = (emitter: Emitter, node: number, tag: number) => void;

export interface OpenList {
  ordered: boolean;
  /** Number of the next item. */
  next: number;
  tight: boolean;
  started: boolean;
  sign: string;
  /** Width of the last item's marker. */
  indent: number;
}

const LINE_BREAK = '  \n';
const CELL_BREAK = '<br>';

export class Emitter {
  readonly context: EmitContext;
  readonly tree: HtmlTree;
  readonly lists: OpenList[] = [];
  #handlers: readonly (Handler | undefined)[];
  #writer: BlockWriter;
  #inline: Inline = createInline(LINE_BREAK);
  // Inside a heading, a term or a caption there is one line only, whatever the markup says.
  #singleLine = false;

  constructor(context: EmitContext, handlers: readonly (Handler | undefined)[], writer: BlockWriter) {
    this.context = context;
    this.tree = context.tree;
    this.#handlers = handlers;
    this.#writer = writer;
  }

  get writer(): BlockWriter {
    return this.#writer;
  }

  get singleLine(): boolean {
    return this.#singleLine;
  }

  visit(node: number): void {
    const state = this.context.mask[node];
    const kind = this.tree.kind[node];
    if (state === DROPPED && kind !== ROOT) return;
    if (kind === TEXT) {
      if (this.tree.isBlank(node)) this.#inline.space();
      else this.#inline.text(this.tree.text(node));
      return;
    }
    const tag = this.tree.tag[node]!;
    const handler = state === KEPT ? this.#handlers[tag] : undefined;
    if (handler) handler(this, node, tag);
    else if (isBlock(tag)) this.block(node);
    else if (!isInvisible(tag)) this.children(node);
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

  /** Finished Markdown within the run of text. */
  raw(markdown: string): void {
    if (markdown !== '') this.#inline.raw(markdown);
  }

  code(text: string): void {
    if (text !== '') this.#inline.code(text);
  }

  /** A place where the next text does not touch the one before. */
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

  /** The content as one line, given to `write` unless it is empty. */
  line(node: number, write: (text: string) => void, mark?: Mark): void {
    this.boundary();
    if (this.#singleLine) {
      this.children(node);
      return;
    }
    this.#singleLine = true;
    if (mark) this.marked(node, mark);
    else this.children(node);
    this.#singleLine = false;
    const text = this.#inline.take(false);
    if (text !== '') write(text);
  }

  /** The content as one table cell. */
  cell(node: number): string {
    const [writer, inline] = [this.#writer, this.#inline];
    this.#writer = createCellWriter();
    this.#inline = createInline(CELL_BREAK);
    this.block(node);
    const text = this.#writer.finish();
    [this.#writer, this.#inline] = [writer, inline];
    return text;
  }
}

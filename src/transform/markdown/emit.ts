// The walk that turns kept nodes into Markdown: one handler a tag, blocks to the writer, runs of text to the inline builder.
// It recurses, but never deeper than the parser's depth limit.
import { DROPPED, KEPT, type Mask } from '../html/mask.ts';
import { isBlock, isInvisible, type KnownTag, TAG } from '../html/tags.ts';
import { ELEMENT, type HtmlTree, TEXT } from '../html/tree.ts';
import type { PageUrls } from '../html/urls.ts';
import { type BlockWriter, createCellWriter } from './block-writer.ts';
import { codeBlock } from './code.ts';
import { createInline, type Mark } from './inline.ts';
import { embedMarkdown, imageMarkdown, texOf } from './media.ts';
import { dataGrid, type Grid } from './table.ts';

export interface EmitContext {
  tree: HtmlTree;
  mask: Mask;
  urls: PageUrls;
  removeBase64Images: boolean;
}

interface List {
  ordered: boolean;
  next: number;
  tight: boolean;
  sign: string;
}

type Handler = (node: number, tag: number) => void;

export function emit(context: EmitContext, root: number, writer: BlockWriter, breakSign: string): void {
  const { tree, mask, urls } = context;
  const inline = createInline(breakSign);
  const lists: List[] = [];
  // Inside a heading, a term or a caption there is one line only, whatever the markup says.
  let singleLine = 0;
  let lastListEnd = -1;
  let lastSign = '';

  function flush(): void {
    const text = inline.take();
    if (text !== '') writer.block(text.split('\n'));
  }
  const boundary = () => {
    if (singleLine > 0) inline.space();
    else flush();
  };

  function visit(node: number): void {
    const state = mask[node];
    if (state === DROPPED) return;
    if (tree.kind[node] === TEXT) {
      inline.text(tree.text(node));
      return;
    }
    const tag = tree.tag[node]!;
    const handler = state === KEPT ? handlers[tag] : undefined;
    if (handler) handler(node, tag);
    else if (isBlock(tag)) block(node);
    else if (tree.kind[node] === ELEMENT ? !isInvisible(tag) : true) children(node);
  }
  const children = (node: number) => {
    for (let child = node + 1; child < tree.end[node]!; child = tree.end[child]!) visit(child);
  };
  const block = (node: number) => {
    boundary();
    children(node);
    boundary();
  };

  /** The content as one line, given to `write` unless it is empty. */
  function line(node: number, write: (text: string) => void): void {
    boundary();
    if (singleLine > 0) {
      children(node);
      return;
    }
    singleLine += 1;
    children(node);
    singleLine -= 1;
    const text = inline.take().replaceAll('\n', ' ');
    if (text !== '') write(text);
  }
  const bold = (text: string) => writer.block([/^\*\*.*\*\*$/.test(text) ? text : `**${text}**`]);

  const marked = (mark: Mark) => (node: number) => {
    inline.open(mark);
    children(node);
    inline.close();
  };

  const link: Handler = (node) => {
    const href = tree.attribute(node, 'href');
    const url = urls.resolve(href);
    if (url === undefined || url.startsWith('data:')) children(node);
    else marked({ kind: 'link', url, title: (tree.attribute(node, 'title') ?? '').trim() })(node);
  };

  const lineBreak: Handler = () => {
    if (singleLine > 0) inline.space();
    else if (!inline.lineBreak()) flush();
  };

  const raw = (markdown: string) => {
    if (markdown !== '') inline.raw(markdown);
  };

  const list: Handler = (node, tag) => {
    if (singleLine > 0) return block(node);
    flush();
    const ordered = tag === TAG.ol;
    const start = Number.parseInt(tree.attribute(node, 'start') ?? '1', 10);
    const tight = isTight(tree, mask, node);
    const outer = lists[lists.length - 1];
    if (outer?.tight && (!ordered || start === 1)) writer.tighten();
    // Two lists in a row would read as one, so the second gets another sign.
    const usual = ordered ? '.' : '-';
    const other = ordered ? ')' : '*';
    const follows = lastListEnd !== -1 && isGap(tree, lastListEnd, node) && lastSign === usual;
    const sign = follows ? other : usual;
    lists.push({ ordered, next: Number.isFinite(start) && start >= 0 ? start : 1, tight, sign });
    children(node);
    flush();
    lists.pop();
    [lastListEnd, lastSign] = [tree.end[node]!, sign];
  };

  const item: Handler = (node) => {
    if (singleLine > 0) return block(node);
    flush();
    const owner = lists[lists.length - 1];
    const value = Number.parseInt(tree.attribute(node, 'value') ?? '', 10);
    if (owner && value >= 0) owner.next = value;
    const marker = owner?.ordered ? `${owner.next++}${owner.sign} ` : `${owner?.sign ?? '-'} `;
    writer.enter(marker, ' '.repeat(marker.length));
    children(node);
    flush();
    writer.leave();
    if (owner?.tight) writer.tighten();
  };

  const quote: Handler = (node) => {
    if (singleLine > 0) return block(node);
    flush();
    writer.enter('> ', '> ');
    children(node);
    flush();
    writer.leave();
  };

  const table: Handler = (node) => {
    const grid = singleLine > 0 ? undefined : dataGrid(tree, mask, node);
    if (!grid) return block(node);
    flush();
    if (grid.caption !== 0) block(grid.caption);
    writer.block(tableLines(context, grid));
  };

  const checkbox: Handler = (node) => {
    if (tree.attribute(node, 'type')?.toLowerCase() !== 'checkbox' || lists.length === 0) return;
    raw(tree.attribute(node, 'checked') === undefined ? '[ ]' : '[x]');
    inline.text(' ');
  };

  const formula: Handler = (node) => {
    const tex = texOf(tree, node);
    if (!tex) return children(node);
    const display = tree.attribute(node, 'display') === 'block';
    raw(display ? `$$${tex.replace(/\s+/g, ' ')}$$` : `$${tex.replace(/\s+/g, ' ')}$`);
  };

  const byName: Partial<Record<KnownTag, Handler>> = {
    a: link,
    br: lineBreak,
    li: item,
    blockquote: quote,
    table,
    input: checkbox,
    math: formula,
    hr: () => {
      boundary();
      if (singleLine === 0) writer.block(['---']);
    },
    img: (node) => raw(imageMarkdown(tree, node, urls, context.removeBase64Images)),
    rt: (node) => {
      inline.text('(');
      children(node);
      inline.text(')');
    },
    q: (node) => {
      inline.text('“');
      children(node);
      inline.text('”');
    },
    dt: (node) => line(node, bold),
    summary: (node) => line(node, bold),
    // The page's own drawing and form values are no text.
    ...names(['rp', 'svg', 'select', 'textarea'], () => {}),
    ...names(['ul', 'ol', 'menu', 'dir'], list),
    ...names(['b', 'strong'], marked({ kind: 'strong' })),
    ...names(['i', 'em', 'var', 'cite', 'dfn'], marked({ kind: 'em' })),
    ...names(['s', 'del', 'strike'], marked({ kind: 'del' })),
    ...names(['code', 'kbd', 'samp', 'tt'], marked({ kind: 'code' })),
    sup: marked({ kind: 'sup' }),
    sub: marked({ kind: 'sub' }),
    ...names(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'], (node, tag) => {
      line(node, (text) => writer.block([`${'#'.repeat(tag - TAG.h1 + 1)} ${text}`]));
    }),
    ...names(['pre', 'listing', 'xmp', 'plaintext'], (node) => {
      boundary();
      const lines = codeBlock(tree, node);
      if (lines.length > 0) writer.block(lines);
    }),
    ...names(['iframe', 'video', 'audio', 'embed', 'object'], (node) => {
      boundary();
      raw(embedMarkdown(tree, node, urls));
      boundary();
    }),
  };
  const handlers: (Handler | undefined)[] = [];
  for (const [name, handler] of Object.entries(byName)) handlers[TAG[name as KnownTag]] = handler;

  visit(root);
  flush();
}

const names = (list: KnownTag[], handler: Handler) => Object.fromEntries(list.map((name) => [name, handler]));

/** A list is loose when its items hold paragraphs; then blank lines stand between them. */
function isTight(tree: HtmlTree, mask: Mask, list: number): boolean {
  for (let item = list + 1; item < tree.end[list]!; item = tree.end[item]!) {
    for (let child = item + 1; child < tree.end[item]!; child = tree.end[child]!) {
      if (tree.tag[child] === TAG.p && mask[child] === KEPT) return false;
    }
  }
  return true;
}

/** Is there nothing but white space between two nodes? */
function isGap(tree: HtmlTree, from: number, to: number): boolean {
  for (let node = from; node < to; node++) {
    if (tree.kind[node] !== TEXT || tree.text(node).trim() !== '') return false;
  }
  return true;
}

function tableLines(context: EmitContext, grid: Grid): string[] {
  const cellText = (cell: number): string => {
    if (cell === 0) return '';
    const writer = createCellWriter();
    emitChildren(context, cell, writer);
    return writer.finish();
  };
  const rows = grid.rows.map((row) => row.map(cellText));
  if (grid.header === -1) rows.unshift(new Array<string>(grid.columns).fill(''));
  const [head, ...body] = rows.map((row) => `| ${row.join(' | ')} |`);
  return [head!, `|${' --- |'.repeat(grid.columns)}`, ...body];
}

function emitChildren(context: EmitContext, cell: number, writer: BlockWriter): void {
  for (let child = cell + 1; child < context.tree.end[cell]!; child = context.tree.end[child]!) {
    emit(context, child, writer, '<br>');
  }
}

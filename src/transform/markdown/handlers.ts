// What each tag becomes in Markdown. Tags that are not named here are blocks or simply their content.
import { type KnownTag, TAG } from '../html/tags.ts';
import { isBare } from './bare.ts';
import { codeBlock, inlineCode, isGutter } from './code.ts';
import type { Emitter, Handler } from './emitter.ts';
import { escapeHeadingEnd } from './escape.ts';
import { checkbox, item, list } from './lists.ts';
import { embedMarkdown, imageMarkdown, texOf } from './media.ts';
import type { Mark } from './run.ts';
import { dataGrid } from './table.ts';

const mark =
  (kind: Exclude<Mark['kind'], 'link'>): Handler =>
  (emitter, node, tag) =>
    emitter.marked(node, { kind, tag });

const link: Handler = (emitter, node) => {
  const { tree, context } = emitter;
  const url = context.urls.resolve(tree.attribute(node, 'href'));
  if (url === undefined || url.startsWith('data:')) emitter.children(node);
  else emitter.marked(node, { kind: 'link', url, title: (tree.attribute(node, 'title') ?? '').trim() });
};

const heading: Handler = (emitter, node, tag) =>
  emitter.line(node, (text) =>
    emitter.writer.block('heading', [`${'#'.repeat(tag - TAG.h1 + 1)} ${escapeHeadingEnd(text)}`]),
  );

/** Terms and summaries have no sign of their own; bold sets them off from what they introduce. */
const term: Handler = (emitter, node) =>
  emitter.line(node, (text) => emitter.writer.block('text', [text]), { kind: 'strong', tag: TAG.b });

const code: Handler = (emitter, node) => {
  emitter.boundary();
  const { tree } = emitter;
  // Highlighters that lay code out in a table put the line numbers into a block of their own.
  if (isGutter(tree, node) || isGutter(tree, tree.parent[node]!)) return;
  const lines = codeBlock(tree, node);
  if (lines.length > 0) emitter.writer.block('code', lines);
};

const quote: Handler = (emitter, node) => {
  if (emitter.singleLine) return emitter.block(node);
  emitter.boundary();
  emitter.writer.enter({ kind: 'quote', first: '> ', rest: '> ', tight: false });
  emitter.children(node);
  emitter.boundary();
  if (isBare(emitter.tree, node)) emitter.writer.block('text', ['']);
  emitter.writer.leave();
};

const table: Handler = (emitter, node) => {
  const grid = emitter.singleLine ? undefined : dataGrid(emitter.tree, emitter.context.mask, node);
  if (!grid) return emitter.block(node);
  emitter.boundary();
  if (grid.caption !== 0) emitter.block(grid.caption);
  const rows = grid.rows.map((row) => row.map((cell) => (cell === 0 ? '' : emitter.cell(cell))));
  if (!grid.hasHeader) rows.unshift(new Array<string>(grid.columns).fill(''));
  const [head, ...body] = rows.map((row) => `| ${row.join(' | ')} |`);
  emitter.writer.block('table', [head!, `|${' --- |'.repeat(grid.columns)}`, ...body]);
};

const rule: Handler = (emitter) => {
  emitter.boundary();
  // Right after a list's sign, or a line of text in a tight list, dashes would be read as part of those.
  if (!emitter.singleLine) emitter.writer.block('rule', [emitter.lists.length > 0 ? '___' : '---']);
};

const image: Handler = (emitter, node) => {
  const { urls, removeBase64Images } = emitter.context;
  emitter.raw(imageMarkdown(emitter.tree, node, urls, removeBase64Images));
};

const embed: Handler = (emitter, node) => {
  emitter.boundary();
  emitter.raw(embedMarkdown(emitter.tree, node, emitter.context.urls));
  emitter.boundary();
};

const formula: Handler = (emitter, node) => {
  const tex = texOf(emitter.tree, node)?.replace(/\s+/g, ' ');
  if (!tex) return emitter.children(node);
  const sign = emitter.tree.attribute(node, 'display') === 'block' ? '$$' : '$';
  emitter.raw(sign + tex + sign);
};

const between =
  (before: string, after: string): Handler =>
  (emitter, node) => {
    emitter.text(before);
    emitter.children(node);
    emitter.text(after);
  };

const nothing: Handler = () => {};

const BY_TAGS: [names: string, handler: Handler][] = [
  ['h1 h2 h3 h4 h5 h6', heading],
  ['dt summary', term],
  ['ul ol menu dir', list],
  ['li', item],
  ['input', checkbox],
  ['blockquote', quote],
  ['pre listing xmp plaintext', code],
  ['table', table],
  ['hr', rule],
  ['a', link],
  ['br', (emitter: Emitter) => emitter.lineBreak()],
  ['b strong', mark('strong')],
  ['i em var cite dfn', mark('em')],
  ['s del strike', mark('del')],
  ['code kbd samp tt', (emitter, node) => emitter.code(inlineCode(emitter.tree, emitter.context.mask, node))],
  ['sup', mark('sup')],
  ['sub', mark('sub')],
  ['q', between('“', '”')],
  ['rt', between('(', ')')],
  ['img', image],
  ['iframe video audio embed object', embed],
  ['math', formula],
  // A drawing's labels, a form's choices and ruby's own brackets are not text of the page.
  ['svg select textarea rp', nothing],
];

/** Handlers by tag number. */
export const HANDLERS: readonly (Handler | undefined)[] = (() => {
  const table: (Handler | undefined)[] = [];
  for (const [names, handler] of BY_TAGS) for (const name of names.split(' ')) table[TAG[name as KnownTag]] = handler;
  return table;
})();

// The handler of each tag. Tags without one are blocks or just their children.
import { ELEMENT, type HtmlTree, TEXT, textWithin } from '../../markup/html/html-tree.ts';
import { isHeading, type KnownTag, TAG } from '../../markup/html/tags.ts';
import { codeBlock, fenced, inlineCode, isGutter } from './blocks/code-block.ts';
import { codeLabels, isLabelOfNext } from './blocks/code-label.ts';
import { languageOf } from './blocks/code-language.ts';
import { isLeftEmpty } from './blocks/empty-elements.ts';
import { checkbox, item, list } from './blocks/markdown-list.ts';
import { codeLines, isNumberColumn } from './blocks/numbered-code.ts';
import { table } from './blocks/table.ts';
import type { Emitter, Handler, Handlers } from './emitter.ts';
import { escapeHeadingEnd } from './escape-markdown.ts';
import { embedMarkdown, imageMarkdown } from './inline/embedded-media.ts';
import { isAnchorText, link } from './inline/hyperlink.ts';
import type { Mark } from './inline/inline-run.ts';
import { isAttributeDump } from './machine-text.ts';

const mark =
  (kind: Exclude<Mark['kind'], 'link'>): Handler =>
  (emitter, node, tag) =>
    emitter.marked(node, { kind, tag });

// Lines drawn with characters, which some authors make headings of.
const DRAWN_LINE = /^(?:\\?[-_=~*.—–―─━∼•·+#]\s?){3,}$/;

const heading: Handler = (emitter, node, tag) => {
  // A table cell is a single line, where number signs do not make a heading.
  if (emitter.insideCell) return term(emitter, node, tag);
  const text = emitter.line(node);
  if (text === '' || DRAWN_LINE.test(text)) return;
  emitter.writer.block('heading', [`${'#'.repeat(levelOf(emitter.tree, node, tag))} ${escapeHeadingEnd(text)}`]);
};

/** An element that only its role makes a heading is of the second level, unless it says otherwise. */
function levelOf(tree: HtmlTree, node: number, tag: number): number {
  if (isHeading(tag)) return tag - TAG.h1 + 1;
  const level = Number(tree.attribute(node, 'aria-level') ?? 2);
  return Number.isInteger(level) ? Math.min(Math.max(level, 1), 6) : 2;
}

/** Markdown has no syntax for terms and summaries, so they are bold. */
const term: Handler = (emitter, node) => {
  const text = emitter.line(node, { kind: 'strong', tag: TAG.b });
  if (text !== '') emitter.writer.block('text', [text]);
};

const listing: Handler = (emitter, node) => {
  emitter.boundary();
  const { tree } = emitter;
  // Highlighters that lay out code as a table put the line numbers into a separate block.
  if (isGutter(tree, node) || isGutter(tree, tree.parent[node]!)) return;
  const labels = codeLabels(tree, node);
  if (labels && labels.title !== '') {
    emitter.text(labels.title);
    emitter.boundary();
  }
  emitter.listing(codeBlock(tree, node, labels));
};

const code: Handler = (emitter, node) => {
  const { tree, context } = emitter;
  let link = 0;
  for (let at = node + 1; at < tree.end[node]!; at++) {
    const tag = tree.tag[at]!;
    // Some authors put <pre> inside <code>, or break lines of <code> with <br>.
    if (tag === TAG.pre) return emitter.children(node);
    if (tag === TAG.br) return listing(emitter, node, tag);
    if (tag === TAG.a && at === node + 1 && tree.end[at] === tree.end[node]) link = at;
  }
  const text = inlineCode(tree, context.mask, node);
  const url = link === 0 ? undefined : context.urls.resolve(tree.attribute(link, 'href'));
  if (url === undefined) emitter.code(text);
  else emitter.linkedCode(text, url);
};

const quote: Handler = (emitter, node) => {
  if (emitter.singleLine) return emitter.block(node);
  emitter.boundary();
  emitter.writer.enter({ kind: 'quote', first: '> ', rest: '> ', tight: false });
  emitter.children(node);
  emitter.boundary();
  if (isLeftEmpty(emitter.tree, node)) emitter.writer.block('text', ['']);
  emitter.writer.leave();
};

const rule: Handler = (emitter) => {
  emitter.boundary();
  // In a list, dashes could be parsed as an item or as the underline of a heading.
  if (!emitter.singleLine) emitter.writer.block('rule', [emitter.lists.length > 0 ? '___' : '---']);
};

const image: Handler = (emitter, node) => {
  emitter.raw(imageMarkdown(emitter.tree, node, emitter.context));
};

const embed: Handler = (emitter, node) => {
  emitter.boundary();
  emitter.raw(embedMarkdown(emitter.tree, node, emitter.context.urls));
  emitter.boundary();
};

// Ordinal suffixes and trade marks are written as plain text.
const ORDINAL = /^\s*(?:st|nd|rd|th|er|re|ère|e|ème|o|a|ª|º|™|®|©|tm|sm)\s*$/i;

const raised: Handler = (emitter, node, tag) => {
  const { tree, context } = emitter;
  const note = context.footnotes.mark(node);
  if (note !== undefined) emitter.footnoteMark(note);
  else if (tree.end[node] === node + 2 && ORDINAL.test(tree.text(node + 1))) emitter.children(node);
  else emitter.marked(node, { kind: 'sup', tag });
};

const span: Handler = (emitter, node) => {
  // Wikipedia's "[edit]" links next to headings and its backlinks from notes.
  const names = emitter.singleLine || emitter.insideNote ? emitter.tree.attribute(node, 'class') : undefined;
  if (names !== undefined && /mw-(?:editsection|cite-backlink)/.test(names)) return;
  if (emitter.tree.tag[emitter.tree.end[node]!] === TAG.pre && isLabelOfNext(emitter.tree, node)) return;
  if (isSetApart(emitter, node)) emitter.space();
  emitter.children(node);
};

const WORD_END = /\p{Ll}{3}$/u;
const CAPITALISED = /^\p{Lu}\p{Ll}/u;

/** Two elements that only styles keep apart: one ends with a word, and the next begins with a capital. */
function isSetApart({ tree }: Emitter, node: number): boolean {
  const last = node - 1;
  if (tree.kind[last] !== TEXT || tree.kind[node + 1] !== TEXT) return false;
  let before = last;
  while (before > 0 && tree.parent[before] !== tree.parent[node]) before = tree.parent[before]!;
  return tree.tag[before] === TAG.span && WORD_END.test(tree.text(last)) && CAPITALISED.test(tree.text(node + 1));
}

/** Buttons and options are set apart, even without white space around them. */
const apart: Handler = (emitter, node) => {
  // Next to the words of a heading, a button links to it.
  if (emitter.singleLine && isAnchorText(textWithin(emitter.tree, node))) return;
  emitter.space();
  emitter.children(node);
  emitter.space();
};

const between =
  (before: string, after: string): Handler =>
  (emitter, node) => {
    emitter.text(before);
    emitter.children(node);
    emitter.text(after);
  };

const CODE_NAME = /line|code|gutter|lang|fragment|header|toolbar/i;

/** Lines of code that are elements of their own. Some editors leave the attributes of a link behind as text: the name in one element and the value in the next. */
const division: Handler = (emitter, node) => {
  const { tree } = emitter;
  const names = tree.attribute(node, 'class');
  if (names !== undefined && CODE_NAME.test(names)) {
    const lines = codeLines(tree, node);
    if (lines) return emitter.listing(fenced(lines, languageOf(tree, node)));
    if (isNumberColumn(tree, node) || isLabelOfNext(tree, node)) return;
  }
  if (tree.end[node] === node + 2) {
    const next = nextElement(tree, node);
    const isPair = next !== 0 && tree.tag[next] === tree.tag[node] && tree.end[next] === next + 2;
    if (isPair && isAttributeDump(tree.text(node + 1), tree.text(next + 1))) return emitter.skip(next);
  }
  emitter.block(node);
};

function nextElement(tree: HtmlTree, node: number): number {
  const end = tree.end[tree.parent[node]!]!;
  let next = tree.end[node]!;
  if (next < end && tree.isBlank(next)) next += 1;
  return next < end && tree.kind[next] === ELEMENT ? next : 0;
}

const nothing: Handler = () => {};

const BY_TAGS: [names: string, handler: Handler][] = [
  ['h1 h2 h3 h4 h5 h6', heading],
  ['div p', division],
  ['dt summary', term],
  ['ul ol menu dir', list],
  ['li', item],
  ['input', checkbox],
  ['blockquote', quote],
  ['pre listing xmp plaintext', listing],
  ['table', table],
  ['hr', rule],
  ['a', link],
  ['br', (emitter: Emitter) => emitter.lineBreak()],
  ['b strong', mark('strong')],
  ['i em var cite dfn', mark('em')],
  ['s del strike', mark('del')],
  ['code kbd samp tt', code],
  ['sup', raised],
  ['sub', mark('sub')],
  ['q', between('“', '”')],
  ['rt', between('(', ')')],
  ['img', image],
  ['iframe video audio embed object', embed],
  ['math-renderer', (emitter, node) => emitter.raw(inlineCode(emitter.tree, emitter.context.mask, node))],
  ['span', span],
  ['button label option', apart],
  // The labels of drawings, the options of forms and ruby's fallback brackets are not running text.
  ['svg select textarea rp', nothing],
];

export const HANDLERS: Handlers = {
  byTag: (() => {
    const handlers: (Handler | undefined)[] = [];
    for (const [names, handler] of BY_TAGS)
      for (const name of names.split(' ')) handlers[TAG[name as KnownTag]] = handler;
    return handlers;
  })(),
  byRole: new Map([
    ['heading', heading],
    ['table', table],
    ['grid', table],
    ['treegrid', table],
  ]),
};

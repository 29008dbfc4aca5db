// Code blocks and code spans with their exact text, without line-number gutters and copy buttons.
import { ELEMENT, type HtmlTree, TEXT } from '../../../markup/html/html-tree.ts';
import { DROPPED, type Mask } from '../../../markup/html/node-mask.ts';
import { TAG } from '../../../markup/html/tags.ts';
import { fenceFor } from '../escape-markdown.ts';
import { stripInvisible } from '../white-space.ts';
import type { CodeLabels } from './code-label.ts';
import { languageOf } from './code-language.ts';
import { isLeftEmpty } from './empty-elements.ts';

const GUTTER =
  /(?:^|[\s_-])(?:gutter|lineno|linenos|line-?numbers?|linenumber|lnt?|ln-num|num|rouge-gutter|blob-num)(?:$|[\s_-])/i;
const COPY = /(?:^|[\s_-])(?:copy|clipboard)/i;
const COPY_LABEL = /^\s*(?:copy|copied)?\b.{0,20}$/i;
const LINE_JOINT = /[ \t\f\r]{0,1000}\n\s{0,1000}|[\t\f\r]/g;
const LINE = /(?:^|\s)(?:line|code-line|token-line|view-line|hljs-ln-line)(?:$|\s)/;

/** A fenced block; no lines if there is no code. */
export function codeBlock(tree: HtmlTree, node: number, labels?: CodeLabels): string[] {
  const code = codeText(tree, node, labels?.nodes);
  const lines = withoutLineNumbers(isPlain(tree, node) ? plainLines(code) : trimmedLines(code));
  if (lines.length > 0) return fenced(lines, languageOf(tree, node) || (labels?.language ?? ''));
  const isEmptyListing = tree.end[node]! > node + 1 && isLeftEmpty(tree, node);
  return isEmptyListing ? fenced(code.split('\n').slice(0, -1), languageOf(tree, node)) : [];
}

export function fenced(lines: string[], language: string): string[] {
  const fence = fenceFor(lines.join('\n'), 3);
  return [fence + language, ...lines, fence];
}

/** Code that no highlighter touched: `<pre><code>` with nothing but text, as Markdown is rendered. */
function isPlain(tree: HtmlTree, pre: number): boolean {
  return tree.tag[pre + 1] === TAG.code && tree.end[pre + 1] === tree.end[pre] && tree.end[pre] === pre + 3;
}

/** Blank lines are part of plain code; only the line breaks after the start tag and before the end tag are not. */
function plainLines(code: string): string[] {
  return code.endsWith('\n') && code.trim() !== ''
    ? code.replace(/^\n/, '').slice(0, -1).split('\n')
    : trimmedLines(code);
}

/** Drops blank lines at both ends and the indentation of the end tag. */
function trimmedLines(code: string): string[] {
  const lines = code.split('\n');
  const first = lines.findIndex((line) => line.trim() !== '');
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex((line) => line.trim() !== '') + 1);
}

/** Some highlighters put the line numbers on separate lines without marking them. */
function withoutLineNumbers(lines: string[]): string[] {
  const numbered = lines.length >= 4 && lines.every((line, at) => at % 2 === 1 || line.trim() === String(at / 2 + 1));
  return numbered ? lines.filter((_, at) => at % 2 === 1) : lines;
}

/** The text between the tags with all its white space. */
export function codeText(tree: HtmlTree, root: number, labels: readonly number[] = []): string {
  let text = '';
  for (let node = root + 1; node < tree.end[root]!; node++) {
    if (labels.includes(node)) node = tree.end[node]! - 1;
    else if (tree.kind[node] === TEXT) text += stripInvisible(tree.text(node)).replaceAll('\u00a0', ' ');
    else if (tree.tag[node] === TAG.br) text += '\n';
    else if (isGutter(tree, node) || isCopyButton(tree, node)) node = tree.end[node]! - 1;
    else if (text !== '' && !text.endsWith('\n') && startsLine(tree, node)) text += '\n';
  }
  return text;
}

/**
 * The text of a code span. Lines are joined, and spaces inside a line are code. One space at both ends is padding, as in
 * Markdown; on one side only it is code.
 */
export function inlineCode(tree: HtmlTree, mask: Mask, root: number): string {
  let text = '';
  for (let node = root + 1; node < tree.end[root]!; node++) {
    if (mask[node] === DROPPED) node = tree.end[node]! - 1;
    else if (tree.kind[node] === TEXT) text += tree.text(node);
    else if (tree.tag[node] === TAG.br) text += ' ';
  }
  const code = stripInvisible(text)
    .replace(/^\s*\n\s*|\s*\n\s*$/g, '')
    .replace(LINE_JOINT, ' ')
    // Authors keep words of code together with no-break spaces, which no program understands.
    .replace(/(\S)\u00a0(?=\S)/g, '$1 ');
  // Padding around backticks has to stay.
  return /^ [^ `](?:.*[^ `])? $/.test(code) ? code.slice(1, -1) : code;
}

export function isGutter(tree: HtmlTree, node: number): boolean {
  const tag = tree.tag[node];
  if (tag === TAG.button || tag === TAG.style || tag === TAG.script || tag === TAG.svg) return true;
  const names = tree.attribute(node, 'class');
  if (names === undefined || !GUTTER.test(names)) return false;
  // Some highlighters put the class "line-numbers" on the code itself; a real gutter contains only numbers.
  for (let at = node; at < tree.end[node]!; at++) if (/[^\d\s]/.test(tree.text(at))) return false;
  return true;
}

function isCopyButton(tree: HtmlTree, node: number): boolean {
  if (tree.kind[node] !== ELEMENT || !COPY.test(tree.attribute(node, 'class') ?? '')) return false;
  let text = '';
  for (let at = node; at < tree.end[node]! && text.length < 40; at++) text += tree.text(at);
  return COPY_LABEL.test(text);
}

function startsLine(tree: HtmlTree, node: number): boolean {
  const tag = tree.tag[node];
  if (tag === TAG.span) return LINE.test(tree.attribute(node, 'class') ?? '');
  return tag === TAG.div || tag === TAG.p || tag === TAG.li || tag === TAG.tr;
}

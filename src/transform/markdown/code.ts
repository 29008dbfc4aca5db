// Code blocks: their exact text without line-number gutters, and the language from the highlighter's class names.
import { DROPPED, type Mask } from '../html/mask.ts';
import { TAG } from '../html/tags.ts';
import { ELEMENT, type HtmlTree, TEXT } from '../html/tree.ts';
import { isBare } from './bare.ts';
import { collapsed, withoutInvisible } from './clean.ts';
import { fenceFor } from './escape.ts';

const GUTTER =
  /(?:^|[\s_-])(?:gutter|lineno|linenos|line-?numbers?|linenumber|ln-num|rouge-gutter|blob-num)(?:$|[\s_-])/i;
const LANGUAGE =
  /(?:^|\s)(?:language|lang|highlight-source|brush|prettyprint-lang|sourcecode)[-:]\s*([\p{L}\p{N}_+#.-]+)/iu;
const HIGHLIGHT_JS = /(?:^|\s)hljs\s+([\w+#.-]+)|(?:^|\s)([\w+#.-]+)\s+hljs(?:\s|$)|(?:^|\s)sourceCode\s+([\w+#.-]+)/;
const NOT_A_LANGUAGE = /^(?:none|plain|text|plaintext|txt|nohighlight|no-highlight|default|hljs|copy|wrap|numbers?)$/i;
const MAX_LEVELS = 4;

export function codeBlock(tree: HtmlTree, node: number): string[] {
  // Blank lines at both ends, and the indentation of the end tag, are layout.
  const code = codeText(tree, node).replace(/^(?:[ \t]*\n)+/, '');
  const end = /\s*$/.exec(code)!.index;
  const lines = end === 0 ? [] : code.slice(0, endOfLine(code, end)).split('\n');
  if (lines.length === 0 && (tree.end[node] === node + 1 || !isBare(tree, node))) return [];
  const fence = fenceFor(code, 3);
  return [fence + languageOf(tree, node), ...withoutLineNumbers(lines), fence];
}

const endOfLine = (code: string, from: number): number => {
  const end = code.indexOf('\n', from);
  return end === -1 ? from : end;
};

/** The text of a code span. A space at each end is padding, as it is in Markdown; on one side it belongs to the code. */
export function inlineCode(tree: HtmlTree, mask: Mask, root: number): string {
  let text = '';
  for (let node = root + 1; node < tree.end[root]!; node++) {
    if (mask[node] === DROPPED) node = tree.end[node]! - 1;
    else if (tree.kind[node] === TEXT) text += tree.text(node);
    else if (tree.tag[node] === TAG.br) text += ' ';
  }
  const code = collapsed(text.replace(/^\s*\n\s*|\s*\n\s*$/g, ''));
  return code.length > 2 && code.startsWith(' ') && code.endsWith(' ') ? code.slice(1, -1) : code;
}

/** Some highlighters put each line's number on a line of its own, with nothing to tell it by but the count. */
function withoutLineNumbers(lines: string[]): string[] {
  const numbered = lines.length >= 4 && lines.every((line, at) => at % 2 === 1 || line.trim() === String(at / 2 + 1));
  return numbered ? lines.filter((_, at) => at % 2 === 1) : lines;
}

/** The text between the tags, character by character: spaces count here. */
export function codeText(tree: HtmlTree, root: number): string {
  let text = '';
  for (let node = root + 1; node < tree.end[root]!; node++) {
    if (tree.kind[node] === TEXT) text += withoutInvisible(tree.text(node)).replaceAll('\u00a0', ' ');
    else if (tree.tag[node] === TAG.br) text += '\n';
    else if (isGutter(tree, node)) node = tree.end[node]! - 1;
    else if (startsLine(tree, node) && text !== '' && !text.endsWith('\n')) text += '\n';
  }
  return text;
}

export function isGutter(tree: HtmlTree, node: number): boolean {
  if (tree.tag[node] === TAG.button || tree.tag[node] === TAG.style || tree.tag[node] === TAG.script) return true;
  const names = tree.attribute(node, 'class');
  if (names === undefined || !GUTTER.test(names)) return false;
  // Some highlighters put "line-numbers" on the code itself; a real gutter holds nothing but numbers.
  for (let at = node; at < tree.end[node]!; at++) if (/[^\d\s]/.test(tree.text(at))) return false;
  return true;
}

const startsLine = (tree: HtmlTree, node: number): boolean => {
  const tag = tree.tag[node];
  return tag === TAG.div || tag === TAG.p || tag === TAG.li || tag === TAG.tr;
};

function languageOf(tree: HtmlTree, pre: number): string {
  const first = firstElement(tree, pre);
  const candidates = [first, pre];
  // The class often stands on a wrapper, but a wrapper of the whole page says nothing.
  for (
    let above = tree.parent[pre]!, level = 0;
    above > 0 && level < MAX_LEVELS;
    above = tree.parent[above]!, level++
  ) {
    if (tree.end[above]! - above > 8 * (tree.end[pre]! - pre) + 40) break;
    candidates.push(above);
  }
  for (const node of candidates) {
    if (node === 0) continue;
    const named = tree.attribute(node, 'data-lang') ?? tree.attribute(node, 'data-language');
    const names = tree.attribute(node, 'class') ?? '';
    const match = HIGHLIGHT_JS.exec(names);
    const language = named || LANGUAGE.exec(names)?.[1] || match?.[1] || match?.[2] || match?.[3];
    if (language && !NOT_A_LANGUAGE.test(language) && /^[\p{L}\p{N}_+#.-]{1,30}$/u.test(language))
      return language.toLowerCase();
  }
  return '';
}

function firstElement(tree: HtmlTree, parent: number): number {
  for (let node = parent + 1; node < tree.end[parent]!; node = tree.end[node]!) {
    if (tree.kind[node] === ELEMENT) return node;
  }
  return 0;
}

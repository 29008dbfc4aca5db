// Markdown extensions: footnotes as [^1] and [^1]: text, task lists, and formulas between dollar signs, whose content
// is not parsed as Markdown.
import type { Env, MarkdownIt, StateBlock, StateCore, StateInline } from 'markdown-it';

interface NoteEnv extends Env {
  notes?: Set<string>;
  isInsideNote?: boolean;
}

const NOTE = /^\[\^([\w-]{1,40})\]:[ \t]*/;
const MARK = /^\[\^([\w-]{1,40})\]/;
const TASK = /^\[([ xX])\](?=[ \t])/;
const NOTE_INDENT = 4;
const MAX_MARK = 60;
const MAX_FORMULA = 5_000;
const OPENING_BRACKET = 0x5b;
const CARET = 0x5e;
const DOLLAR = 0x24;

export function addRules(markdown: MarkdownIt): void {
  markdown.block.ruler.before('reference', 'note', note);
  markdown.core.ruler.before('inline', 'task', task);
  markdown.inline.ruler.before('link', 'note_mark', noteMark);
  markdown.inline.ruler.before('escape', 'formula', formula);
  markdown.renderer.rules.formula = (tokens, at) =>
    `<math-renderer>${markdown.utils.escapeHtml(tokens[at]!.content)}</math-renderer>`;
}

/** A footnote with all its lines. It may contain any block except another footnote, which is shown as text. */
function note(state: StateBlock, first: number, last: number, silent: boolean): boolean {
  const env: NoteEnv = state.env;
  const at = state.bMarks[first]! + state.tShift[first]!;
  const isBracket = state.src.charCodeAt(at) === OPENING_BRACKET && state.src.charCodeAt(at + 1) === CARET;
  if (!isBracket || silent || state.sCount[first]! - state.blkIndent >= NOTE_INDENT) return false;
  const [start, label] = NOTE.exec(state.src.slice(at, Math.min(state.eMarks[first]!, at + MAX_MARK))) ?? [];
  if (start === undefined || label === undefined) return false;
  state.line = endOfNote(state, first, last);
  const rest = state.getLines(first + 1, state.line, state.blkIndent + NOTE_INDENT, false);
  const text = `${state.src.slice(at, state.eMarks[first])}\n${rest}`;
  if (env.isInsideNote) addParagraph(state, text);
  else addNote(state, label, text.slice(start.length));
  return true;
}

function addNote(state: StateBlock, label: string, text: string): void {
  const env: NoteEnv = state.env;
  env.notes ??= new Set();
  env.notes.add(label);
  const open = state.push('note_open', 'div', 1);
  open.block = true;
  open.attrs = [
    ['class', 'footnote'],
    ['id', `fn-${label}`],
  ];
  env.isInsideNote = true;
  state.md.block.parse(text, state.md, env, state.tokens);
  env.isInsideNote = false;
  state.push('note_close', 'div', -1).block = true;
}

function addParagraph(state: StateBlock, text: string): void {
  state.push('paragraph_open', 'p', 1);
  const inline = state.push('inline', '', 0);
  inline.content = text.trim();
  inline.children = [];
  state.push('paragraph_close', 'p', -1);
}

/** The note continues until a blank line, and with indented blocks after that. */
function endOfNote(state: StateBlock, first: number, last: number): number {
  let line = first + 1;
  let isAfterBlank = false;
  for (let at = line; at < last; at++) {
    if (state.isEmpty(at)) {
      isAfterBlank = true;
      continue;
    }
    const indent = state.sCount[at]! - state.blkIndent;
    const begin = state.bMarks[at]! + state.tShift[at]!;
    const isNext = isAfterBlank || indent < 0 || NOTE.test(state.src.slice(begin, begin + MAX_MARK));
    if (indent < NOTE_INDENT && isNext) break;
    line = at + 1;
  }
  return line;
}

/** [x] at the start of a list item. */
function task({ tokens }: StateCore): void {
  tokens.forEach((token, at) => {
    if (token.type !== 'inline' || tokens[at - 2]?.type !== 'list_item_open') return;
    token.content = token.content.replace(
      TASK,
      (_, sign: string) => `<input type="checkbox"${sign === ' ' ? '' : ' checked'} disabled>`,
    );
  });
}

/** A footnote mark if the note exists, else plain text. */
function noteMark(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (src.charCodeAt(pos) !== OPENING_BRACKET || src.charCodeAt(pos + 1) !== CARET) return false;
  const [mark, label] = MARK.exec(src.slice(pos, pos + MAX_MARK)) ?? [];
  if (mark === undefined || label === undefined || !(state.env as NoteEnv).notes?.has(label)) return false;
  if (!silent) {
    state.push('note_mark_open', 'sup', 1);
    state.push('note_link_open', 'a', 1).attrs = [['href', `#fn-${label}`]];
    state.push('text', '', 0).content = label;
    state.push('note_link_close', 'a', -1);
    state.push('note_mark_close', 'sup', -1);
  }
  state.pos += mark.length;
  return true;
}

/** $a$ or $$a$$. Amounts of money are excluded by spaces or digits next to the signs. */
function formula(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  if (src.charCodeAt(pos) !== DOLLAR) return false;
  const sign = src.charCodeAt(pos + 1) === DOLLAR ? '$$' : '$';
  const start = pos + sign.length;
  const end = src.slice(start, start + MAX_FORMULA).indexOf('$');
  if (end < 1 || !src.startsWith(sign, start + end)) return false;
  const tex = src.slice(start, start + end);
  const after = src[start + end + sign.length] ?? '';
  if (sign === '$' && (/^\s|[\s\\]$/.test(tex) || /[\d$]/.test(after))) return false;
  if (!silent) state.push('formula', '', 0).content = sign + tex + sign;
  state.pos = start + end + sign.length;
  return true;
}

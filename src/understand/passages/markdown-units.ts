// Splits Markdown into the units that answers are made of: sentences, list items, rows of tables, blocks of code. Each is a
// span of the source that can be read by itself.
import { eachSentence } from '../../text/passages/sentences.ts';
import { MARKUP, plainLine } from './plain-line.ts';

export type UnitKind = 'heading' | 'sentence' | 'item' | 'row' | 'code';

export interface Unit {
  start: number;
  end: number;
  kind: UnitKind;
  /** Says what comes next instead of saying something: `Opening hours:`, a question, the header of a table. */
  isLabel: boolean;
  isQuestion: boolean;
  /** Number of its paragraph, list item or row. */
  block: number;
  /** Most of it is the text of links. */
  isLinks: boolean;
}

export interface MarkdownUnits {
  /** As long as the source. Only units have words in it, and they have no markup. */
  plain: string;
  units: Unit[];
}

interface Line {
  start: number;
  text: string;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}#{1,6}(?=\s)/;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|=+)$/;
const TABLE_RULE = /^\s*\|?[\s:|-]*-[\s:|-]*\|[\s:|-]*$/;
const ITEM = /^(?:[ \t]{0,40}(?:>|[-*+]|\d{1,9}[.)])(?:[ \t]{1,40}|$))+(?:\[[ xX]\][ \t])?/;
const ALL_BOLD = /^\*\*[^*\n]{1,150}\*\*:?\s*$/;
const QUESTION_END = /[?？؟]["'”’»)\]*_\u0001\s]*$/u;
const LABEL_END = /[:：?？]["'”’»)\]*_\u0001\s]*$/u;
const HAS_WORDS = /[\p{L}\p{N}]/u;
/** Lines of text files are wrapped at about this length; a shorter line was meant to end. */
const WRAPPED = 50;
const LONG_CODE = 500;
/** Longer units are not real sentences; they are cut at white space. */
const LONGEST_UNIT = 1_500;
const MANY_LINKED = 0.7;
const PLAIN = { isLabel: false, isQuestion: false, isLinks: false };

export function markdownUnits(markdown: string): MarkdownUnits {
  const units: Unit[] = [];
  const plain: string[] = [];
  const lines = linesOf(markdown);
  let block = 0;
  const add = (unit: Omit<Unit, 'block'>) => {
    for (const part of partsOf(markdown, unit)) units.push({ ...unit, ...part, block });
  };

  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at]!;
    block += 1;
    const fence = FENCE.exec(line.text)?.[1];
    if (fence !== undefined) {
      const end = endOfFence(lines, at, fence);
      const code = lines.slice(at + 1, end);
      addCode(code, add);
      plain.push(blankLine(line), ...code.map(({ text }) => text));
      if (end < lines.length) plain.push(blankLine(lines[end]!));
      at = end;
    } else if (RULE.test(line.text) || TABLE_RULE.test(line.text)) {
      plain.push(blankLine(line));
    } else if (line.text.startsWith('|')) {
      plain.push(addRow(line, TABLE_RULE.test(lines[at + 1]?.text ?? ''), add));
    } else {
      const [whole, count] = joined(lines, at);
      plain.push(addText(whole, add));
      at += count - 1;
    }
  }
  return { plain: plain.join('\n'), units };
}

function partsOf(markdown: string, { start, end }: { start: number; end: number }): { start: number; end: number }[] {
  const parts: { start: number; end: number }[] = [];
  let from = start;
  while (end - from > LONGEST_UNIT) {
    const part = markdown.slice(from, from + LONGEST_UNIT);
    const space = part.search(/\s\S*$/);
    // Never between the two halves of a character.
    const cut = from + (space > 0 ? space : LONGEST_UNIT - (/[\ud800-\udbff]$/.test(part) ? 1 : 0));
    parts.push({ start: from, end: cut });
    from = cut;
    while (from < end && /\s/.test(markdown[from]!)) from += 1;
  }
  if (end > from) parts.push({ start: from, end });
  return parts;
}

type AddUnit = (unit: Omit<Unit, 'block'>) => void;

function linesOf(markdown: string): Line[] {
  let start = 0;
  return markdown.split('\n').map((text) => {
    const line = { start, text };
    start += text.length + 1;
    return line;
  });
}

const blankLine = ({ text }: Line): string => MARKUP.repeat(text.length);

function endOfFence(lines: readonly Line[], from: number, fence: string): number {
  for (let at = from + 1; at < lines.length; at += 1) {
    if (FENCE.exec(lines[at]!.text)?.[1]?.startsWith(fence)) return at;
  }
  return lines.length;
}

/** A short block is one unit, a long one is cut at its empty lines. */
function addCode(lines: readonly Line[], add: AddUnit): void {
  let from = 0;
  const isLong = lines.reduce((sum, { text }) => sum + text.length, 0) > LONG_CODE;
  for (let at = 0; at <= lines.length; at += 1) {
    const isEnd = at === lines.length || (isLong && lines[at]!.text.trim() === '');
    if (!isEnd) continue;
    const part = lines.slice(from, at).filter(({ text }) => HAS_WORDS.test(text));
    from = at + 1;
    const last = part.at(-1);
    if (last === undefined) continue;
    add({ start: part[0]!.start, end: last.start + last.text.length, kind: 'code', ...PLAIN });
  }
}

/** Without the outer bars. Returns the plain line. */
function addRow({ start, text }: Line, isHeader: boolean, add: AddUnit): string {
  const { text: plain, linked } = plainLine(text);
  const cells = plain.replace(/\|/g, (bar, at: number) => (plain[at - 1] === '\\' ? bar : MARKUP));
  const [from, to] = [firstSign(text, 1), lastSign(text)];
  if (to <= from || !HAS_WORDS.test(cells)) return MARKUP.repeat(text.length);
  add({
    start: start + from,
    end: start + to,
    kind: 'row',
    ...PLAIN,
    isLabel: isHeader,
    isLinks: isMostly(linked, to - from),
  });
  return cells;
}

function firstSign(text: string, from: number): number {
  let at = from;
  while (at < text.length && (text[at] === ' ' || text[at] === '|')) at += 1;
  return at;
}

function lastSign(text: string): number {
  let at = text.length;
  while (at > 0 && (/\s/.test(text[at - 1]!) || (text[at - 1] === '|' && text[at - 2] !== '\\'))) at -= 1;
  return at;
}

/** A paragraph whose lines are wrapped is read as one line. */
function joined(lines: readonly Line[], from: number): [line: Line, count: number] {
  let count = 1;
  let { text } = lines[from]!;
  while (goesOn(lines[from + count - 1]!.text, lines[from + count]?.text)) {
    text += `\n${lines[from + count]!.text}`;
    count += 1;
  }
  return [{ start: lines[from]!.start, text }, count];
}

function goesOn(line: string, next: string | undefined): boolean {
  if (next === undefined || line.length < WRAPPED || next.trim() === '') return false;
  if (/(?: {2}|\\)$/.test(line) || HEADING.test(line)) return false;
  return !(FENCE.test(next) || HEADING.test(next) || RULE.test(next) || ITEM.test(next) || next.startsWith('|'));
}

function addText({ start, text }: Line, add: AddUnit): string {
  const isHeading = HEADING.test(text);
  const prefix = (isHeading ? HEADING : ITEM).exec(text)?.[0].length ?? 0;
  const { text: inner, linked } = plainLine(text.slice(prefix));
  const plain = MARKUP.repeat(prefix) + inner.replaceAll('\n', ' ');
  const isLinks = isMostly(linked, inner.replaceAll(MARKUP, '').trim().length);
  const isLabelLine = isHeading || ALL_BOLD.test(text.slice(prefix));
  const kind = isHeading ? 'heading' : prefix > 0 ? 'item' : 'sentence';
  const addSpan = (from: number, to: number) => {
    const said = plain.slice(from, to);
    if (!HAS_WORDS.test(said)) return;
    // What stands right before and after the words is markup that belongs to them.
    while (from > prefix && plain[from - 1] === MARKUP) from -= 1;
    while (to < plain.length && plain[to] === MARKUP) to += 1;
    add({
      start: start + from,
      end: start + to,
      kind,
      isLabel: isLabelLine || LABEL_END.test(said),
      isQuestion: QUESTION_END.test(said),
      isLinks,
    });
  };
  if (isHeading) eachTrimmed(plain, prefix, addSpan);
  else eachSentence(plain, addSpan);
  return plain;
}

function eachTrimmed(plain: string, prefix: number, visit: (from: number, to: number) => void): void {
  const from = prefix + (plain.length - prefix - plain.slice(prefix).trimStart().length);
  const to = plain.trimEnd().length;
  if (to > from) visit(from, to);
}

const isMostly = (linked: number, all: number): boolean => linked > all * MANY_LINKED;

// The lines of a Markdown text, and what a line says about the block that it begins. No check takes longer than the line.

export interface Lines {
  text: string;
  /** Where each line begins, and last where the text ends. */
  starts: readonly number[];
  /** Where the content of each line begins: after the signs of the quotes around it. */
  froms: readonly number[];
}

const TAB = 4;
const LONGEST_RULE = 1_000;
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const HEADING = /^ {0,3}(#{1,6})(?=[ \t]|$)/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]{1,5}|$)/;
/** Only such an item can follow a paragraph without an empty line. */
const INTERRUPTING_ITEM = /^ {0,3}(?:[-*+]|1[.)])[ \t]{1,100}[^ \t]/;
const DELIMITERS = /^[ \t:|-]+$/;
const VERBATIM = /^ {0,3}<(pre|script|style|textarea)(?=[\s>]|$)/i;
const BLOCK_TAG =
  /^ {0,3}<\/?(?:address|article|aside|blockquote|body|center|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?=[\s/>]|$)/i;

export function linesOf(text: string): Lines {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  if (starts.at(-1) !== text.length) starts.push(text.length);
  return { text, starts, froms: starts.slice(0, -1) };
}

/** A line without its end and without the signs of quotes. */
export function contentOf({ text, starts, froms }: Lines, line: number): string {
  const end = starts[line + 1]!;
  return text.slice(froms[line]!, text[end - 1] === '\n' ? Math.max(froms[line]!, end - 1) : end);
}

/** A whole line as it stands in the text. */
export const wholeLine = ({ text, starts }: Lines, line: number): string =>
  text.slice(starts[line]!, starts[line + 1]!);

export const isBlank = (content: string): boolean => content.trim() === '';

/** How many columns it is indented. */
export function indentOf(content: string): number {
  let columns = 0;
  for (let at = 0; at < content.length; at += 1) {
    if (content[at] === ' ') columns += 1;
    else if (content[at] === '\t') columns += TAB - (columns % TAB);
    else break;
  }
  return columns;
}

export interface Fence {
  /** The signs before its text: `> ` in a quote. */
  indent: string;
  /** At least three backticks or tildes. */
  signs: string;
}

/** The code fence that the line opens. */
export function fenceIn(content: string): Fence | undefined {
  const indent = leadingSpaces(content);
  const sign = content[indent];
  if (indent > 3 || (sign !== '`' && sign !== '~')) return undefined;
  const end = endOfRun(content, indent);
  if (end - indent < 3 || (sign === '`' && content.includes('`', end))) return undefined;
  return { indent: content.slice(0, indent), signs: content.slice(indent, end) };
}

export function closesFence(content: string, { signs }: Fence): boolean {
  const indent = leadingSpaces(content);
  if (indent > 3 || content[indent] !== signs[0]) return false;
  const end = endOfRun(content, indent);
  return end - indent >= signs.length && isBlank(content.slice(end));
}

function leadingSpaces(content: string): number {
  let at = 0;
  while (content[at] === ' ') at += 1;
  return at;
}

/** The end of the equal signs that begin there. */
function endOfRun(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] === text[from]) at += 1;
  return at;
}

/** The level of an ATX heading; 0 for other lines. */
export const headingLevel = (content: string): number => HEADING.exec(content)?.[1]?.length ?? 0;

export const isRule = (content: string): boolean => content.length <= LONGEST_RULE && RULE.test(content.trimEnd());

/** How many characters make the line a part of a quote; 0 for other lines. */
export const quoteSigns = (content: string): number => QUOTE.exec(content)?.[0].length ?? 0;

/** The column from which the content of a list item is indented; 0 if the line begins no item. */
export function itemIndent(content: string): number {
  const found = ITEM.exec(content)?.[0];
  if (found === undefined || isRule(content)) return 0;
  const sign = found.trimEnd();
  const spaces = indentOf(found.slice(sign.length));
  return sign.length + (spaces === 0 || spaces > TAB || sign.length === content.trimEnd().length ? 1 : spaces);
}

/** Whether the line is the header of a table. */
export function beginsTable(lines: Lines, line: number): boolean {
  if (line + 2 >= lines.starts.length || !contentOf(lines, line).includes('|')) return false;
  const next = contentOf(lines, line + 1);
  return next.includes('-') && next.includes('|') && DELIMITERS.test(next.trimEnd());
}

/** What the last line of a block of HTML has; '' if an empty line ends it. Undefined if the line begins none. */
export function htmlEnd(content: string): string | undefined {
  const at = leadingSpaces(content);
  if (at > 3 || content[at] !== '<') return undefined;
  if (content.startsWith('<!--', at)) return '-->';
  const verbatim = VERBATIM.exec(content)?.[1];
  if (verbatim !== undefined) return `</${verbatim}>`;
  return BLOCK_TAG.test(content) ? '' : undefined;
}

/** Whether the line begins a block, even right after the line of a paragraph. */
export function interrupts(lines: Lines, line: number): boolean {
  const content = contentOf(lines, line);
  return (
    headingLevel(content) > 0 ||
    quoteSigns(content) > 0 ||
    isRule(content) ||
    INTERRUPTING_ITEM.test(content) ||
    fenceIn(content) !== undefined ||
    htmlEnd(content) !== undefined ||
    beginsTable(lines, line)
  );
}

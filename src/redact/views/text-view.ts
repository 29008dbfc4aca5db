// A text as its reader sees it, with the place of everything in the source that it was written as: Markdown, HTML, a URL.
// What is found in the text is replaced in the source.
import type { ReplaceStyle } from '../../contracts/scrape/redaction.ts';
import type { Finding } from '../finding.ts';

export interface TextView {
  readonly text: string;
  /** In order. Parts of the text without a segment are separators that the source does not have. */
  readonly segments: readonly Segment[];
  /** Addresses and markup: the classifier, which expects sentences, does not read it. */
  readonly isMachineText?: true;
  /** Writes a replacement in the language of the source. */
  escape(replacement: string): string;
}

/** A range of the text and where it is in the source. */
interface Segment {
  start: number;
  end: number;
  sourceStart: number;
  /** If the lengths differ, the range is one character that the source writes in another way. */
  sourceEnd: number;
}

/** A range of the source and what to write instead. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

const asIs = (replacement: string): string => replacement;

export function plainView(source: string, isMachineText = false): TextView {
  const segments = [{ start: 0, end: source.length, sourceStart: 0, sourceEnd: source.length }];
  return { text: source, segments, ...(isMachineText && { isMachineText }), escape: asIs };
}

/** Collects a view from left to right. */
export class ViewBuilder {
  readonly #parts: string[] = [];
  readonly #segments: Segment[] = [];
  #length = 0;

  /** Text that the source writes as it is, or one character that it writes in another way. */
  add(text: string, sourceStart: number, sourceEnd: number): void {
    if (text === '') return;
    const start = this.#length;
    this.#push(text);
    this.#segments.push({ start, end: this.#length, sourceStart, sourceEnd });
  }

  /** Text that the source does not have. */
  separate(text: string): void {
    this.#push(text);
  }

  #push(text: string): void {
    this.#parts.push(text);
    this.#length += text.length;
  }

  view(options: Partial<Pick<TextView, 'escape' | 'isMachineText'>> = {}): TextView {
    return { text: this.#parts.join(''), segments: this.#segments, escape: asIs, ...options };
  }
}

/** `findings` are sorted and disjoint. */
export function editsOf(view: TextView, findings: readonly Finding[], style: ReplaceStyle): Edit[] {
  const edits: Edit[] = [];
  const { text, segments } = view;
  let first = 0;
  for (const finding of findings) {
    const { start } = finding;
    const end = style === 'remove' && leavesDoubleSpace(text, finding) ? finding.end + 1 : finding.end;
    while (first < segments.length && segments[first]!.end <= start) first += 1;
    let isWritten = false;
    for (let at = first; at < segments.length && segments[at]!.start < end; at++) {
      const segment = segments[at]!;
      const from = Math.max(start, segment.start);
      const to = Math.min(end, segment.end);
      const replacement = replacementOf(finding, text.slice(from, to), style, isWritten);
      edits.push({ ...sourceRange(segment, from, to), text: view.escape(replacement) });
      isWritten = true;
    }
  }
  return edits;
}

/** The tag stands once, where the finding begins; asterisks stand for every character. */
function replacementOf({ entity }: Finding, covered: string, style: ReplaceStyle, isContinued: boolean): string {
  if (style === 'mask') return covered.replace(/[^\r\n]/g, '*');
  return style === 'tag' && !isContinued ? `<${entity}>` : '';
}

function sourceRange({ start, end, sourceStart, sourceEnd }: Segment, from: number, to: number) {
  if (end - start !== sourceEnd - sourceStart) return { start: sourceStart, end: sourceEnd };
  return { start: sourceStart + from - start, end: sourceStart + to - start };
}

function leavesDoubleSpace(text: string, { start, end }: Finding): boolean {
  return text[end] === ' ' && (start === 0 || /[ \n]/.test(text[start - 1]!));
}

/** `edits` are sorted and disjoint. */
export function applyEdits(source: string, edits: readonly Edit[]): string {
  if (edits.length === 0) return source;
  const parts: string[] = [];
  let position = 0;
  for (const { start, end, text } of edits) {
    parts.push(source.slice(position, start), text);
    position = end;
  }
  parts.push(source.slice(position));
  return parts.join('');
}

/** Where an offset of the source is after the edits. Offsets inside of a replaced range move to its end. */
export function movedOffset(offset: number, edits: readonly Edit[]): number {
  let shift = 0;
  for (const { start, end, text } of edits) {
    if (start >= offset) break;
    shift += text.length - (Math.min(end, offset) - start);
  }
  return offset + shift;
}

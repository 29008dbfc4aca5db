// The text of a page with a number before each sentence, item, row and block of code. A model names numbers; the text is
// then taken from the page, so nothing can be changed or added.
import { estimateTokens } from '../../text/estimate-tokens.ts';
import type { PassageSpan } from './find-passages.ts';
import { markdownUnits } from './markdown-units.ts';

export interface NumberedLines {
  text: string;
  /** By number, starting with 1; the first entry is line 1. */
  spans: PassageSpan[];
  /** The page has more than fits. */
  isCut: boolean;
}

export function numberLines(markdown: string, maxTokens: number): NumberedLines {
  const lines: string[] = [];
  const spans: PassageSpan[] = [];
  const { units } = markdownUnits(markdown);
  let tokens = 0;
  for (const { start, end, kind } of units) {
    const text = markdown.slice(start, end);
    const line = `[${spans.length + 1}] ${kind === 'heading' ? '# ' : ''}${text}`;
    tokens += estimateTokens(line) + 1;
    if (tokens > maxTokens) return { text: lines.join('\n'), spans, isCut: true };
    lines.push(line);
    spans.push({ start, end });
  }
  return { text: lines.join('\n'), spans, isCut: false };
}

/** The spans of these line numbers in the order of the page, once each. Numbers that do not exist are ignored. */
export function spansOfLines(numbers: readonly unknown[], spans: readonly PassageSpan[]): PassageSpan[] {
  const known = numbers.filter((number): number is number => Number.isInteger(number) && (number as number) > 0);
  return [...new Set(known)]
    .toSorted((a, b) => a - b)
    .map((number) => spans[number - 1])
    .filter((span) => span !== undefined);
}

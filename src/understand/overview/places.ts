// Where texts that the data of a page states are shown in its Markdown, and how such pieces become one text.
import { eachSentence } from '../../text/passages/sentences.ts';
import type { PassageSpan } from '../passages/find-passages.ts';
import { type MarkdownUnits, markdownUnits, type Unit } from '../passages/markdown-units.ts';
import { MARKUP } from '../passages/plain-line.ts';

const MAX_TEXT = 500;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
export const ENDED = /[.!?…。！？]["'”’»)]*$/u;
const TOO_MANY = 50_000;

export interface Overview {
  text: string;
  /** Where its pieces stand in the Markdown. */
  spans: PassageSpan[];
}

export interface Places {
  markdown: string;
  units(): readonly Unit[];
  /** How many letters and signs the page has, blanks and markup not counted. */
  size(): number;
  /** As whole words, the first at or after `from`. */
  of(text: string | undefined, from?: number): PassageSpan | undefined;
  /** The first sentences of a text, as far as they are shown. */
  sentencesOf(text: string | undefined, count: number): PassageSpan[];
}

export function placesIn(markdown: string): Places {
  let read: MarkdownUnits | undefined;
  const parts = (): MarkdownUnits => {
    read ??= markdownUnits(markdown);
    return read;
  };
  const of = (text: string | undefined, from = 0): PassageSpan | undefined => {
    const wanted = text?.trim() ?? '';
    if (wanted === '' || wanted.length > MAX_TEXT) return undefined;
    for (let start = markdown.indexOf(wanted, from); start >= 0; start = markdown.indexOf(wanted, start + 1)) {
      const end = start + wanted.length;
      if (!isInsideWord(markdown, start) && !isInsideWord(markdown, end)) return { start, end };
    }
    return undefined;
  };
  return {
    markdown,
    of,
    units: () => parts().units,
    size: () => spaceless(parts().plain.replaceAll(MARKUP, '')).length,
    sentencesOf(text, count) {
      const sentences: string[] = [];
      if (text !== undefined && text.length < TOO_MANY) {
        eachSentence(text, (start, end) => sentences.push(text.slice(start, end)));
      }
      return sentences.flatMap((sentence) => of(sentence) ?? []).slice(0, count);
    },
  };
}

const isInsideWord = (text: string, at: number): boolean =>
  LETTER_OR_DIGIT.test(text[at - 1] ?? '') && LETTER_OR_DIGIT.test(text[at] ?? '');

/** A piece of the page with what stands before it in the overview. */
export interface SaidPart {
  before: string;
  /** Its place, or its text if the page shows it outside of what is in the Markdown. */
  span: PassageSpan | string;
  /** What is added to it: how many there are, or that there are more. */
  after?: string;
}

/** With a full stop at its end, and before each new sentence. */
export function overviewOf(markdown: string, pieces: readonly SaidPart[]): Overview {
  let text = '';
  for (const { before, span, after = '' } of pieces) {
    const shown = typeof span === 'string' ? span : markdown.slice(span.start, span.end);
    const isNew = before === SENTENCE && text !== '';
    text += `${isNew ? `${ENDED.test(text) ? '' : '.'} ` : text === '' ? '' : before}${shown}${after}`;
  }
  return {
    text: ENDED.test(text) ? text : `${text}.`,
    spans: pieces.flatMap(({ span }) => (typeof span === 'string' ? [] : span)),
  };
}

export const SENTENCE = '. ';

/** How much of the text of the page these parts are. */
export const shareOf = (places: Places, texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + spaceless(text).length, 0) / Math.max(1, places.size());

export const spaceless = (text: string): string => text.replace(/\s+/g, '');

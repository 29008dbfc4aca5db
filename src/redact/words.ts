// The words of a text with what stands between them, for rules that look at runs of capitalised words.

export interface Word {
  text: string;
  start: number;
  end: number;
  isCapital: boolean;
  /** Nothing but one blank separates it from the word before. */
  isNext: boolean;
}

const WORD = /[\p{L}\p{M}][\p{L}\p{M}'’-]*/gu;
const GAP = /^\.?[ \u00a0]$/;
/** After these, a full stop does not end the sentence. */
const ABBREVIATION =
  /^(?:\p{L}|Dr|Mr|Mrs|Ms|Prof|St|Sr|Sra|Srta|Sig|Dott|Avv|Ing|Mevr|Mw|Dhr|Hr|Fr|Dipl|Rev|Jr|Mme|Mlle|Drs)$/u;

export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  let end = -2;
  for (const match of text.matchAll(WORD)) {
    const start = match.index;
    const written = match[0].replace(/['’-]+$/, '');
    const gap = start - end;
    const isNext =
      (gap === 1 && GAP.test(text[end]!)) ||
      (gap === 2 && GAP.test(text.slice(end, start)) && ABBREVIATION.test(words.at(-1)!.text));
    words.push({ text: written, start, end: start + written.length, isCapital: /^\p{Lu}/u.test(written), isNext });
    end = start + written.length;
  }
  return words;
}

// Splits a text into words of a query and what is around them, so that pages can mark the words.
import { eachWantedTerm, type QueryWord } from '../../../text/terms.ts';

export interface MarkedPart {
  text: string;
  isMatch: boolean;
}

export function markWords(text: string, language: string, words: readonly QueryWord[]): MarkedPart[] {
  const forms = new Map(words.flatMap((word, number) => word.forms.map((form): [string, number] => [form, number])));
  const parts: MarkedPart[] = [];
  let done = 0;
  const add = (end: number, isMatch: boolean) => {
    if (end <= done) return;
    const last = parts.at(-1);
    const piece = text.slice(done, end);
    if (last?.isMatch === isMatch) last.text += piece;
    else parts.push({ text: piece, isMatch });
    done = end;
  };
  // Terms of some scripts overlap: each adds what lies behind the last one.
  eachWantedTerm(text, language, forms, (word, start, end) => {
    if (word < 0) return;
    add(start, false);
    add(end, true);
  });
  add(text.length, false);
  return parts;
}

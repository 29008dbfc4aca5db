// What is left of a name without the words around it: no name consists of a conjunction or an article, or begins or ends
// with one.
import { stopWordLanguages } from '../../text/words/stop-words.ts';
import type { Finding } from '../finding.ts';
import { canBeginName, joiningWords } from './name-words.ts';

const WORD = /[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu;

/** `Laura Gómez y` is `Laura Gómez`; `y` alone is nobody. Other findings stay as they are. */
export function trimNames(text: string, findings: readonly Finding[], language: string): Finding[] {
  const joining = joiningWords(language);
  return findings.flatMap((finding) => (finding.entity === 'PERSON' ? trimmed(text, finding, joining) : [finding]));
}

function trimmed(text: string, finding: Finding, joining: ReadonlySet<string>): Finding[] {
  const words = [...text.slice(finding.start, finding.end).matchAll(WORD)].map(({ index, 0: word }) => ({
    word,
    start: finding.start + index,
    end: finding.start + index + word.length,
  }));
  const isInitial = (end: number) => text[end] === '.';
  let [first, last] = [0, words.length];
  while (last > first && isLoose(words[last - 1]!.word)) last -= 1;
  while (first < last) {
    const { word, end } = words[first]!;
    const joins = joining.has(word.toLowerCase()) && !isInitial(end);
    if (!joins && (!isLoose(word) || canBeginName(word))) break;
    first += 1;
  }
  if (first === last) return words.length === 0 ? [finding] : [];
  if (first === 0 && last === words.length) return [finding];
  return [{ ...finding, start: words[first]!.start, end: words[last - 1]!.end }];
}

const isLoose = (word: string): boolean => word === word.toLowerCase() && stopWordLanguages(word).length > 0;

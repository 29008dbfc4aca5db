// Sentences that cannot hold a name: the model need not read them. About a quarter of the text of an ordinary page.
import { eachSentence } from '../../text/passages/sentences.ts';
import { stopWordLanguages } from '../../text/words/stop-words.ts';
import type { TokenizedWord } from '../words/word-pieces.ts';

/** Bylines and nicknames are short, and often without capitals. */
const MIN_WORDS = 6;
const FIRST_WORD = /\p{L}[\p{L}\p{M}'’]*/u;
/** Numbers of addresses, and letters of scripts without capitals. */
const ALWAYS_READ = /[\p{Lo}\p{Nd}]/u;
const CAPITAL = /[\p{Lu}\p{Lt}]/u;

/** The words without those of such sentences. */
export function withoutNameless(text: string, words: readonly TokenizedWord[]): TokenizedWord[] {
  const kept: TokenizedWord[] = [];
  let at = 0;
  eachSentence(text, (start, end) => {
    const from = at;
    while (at < words.length && words[at]!.start < end) at += 1;
    const isRead = at - from < MIN_WORDS || canHoldName(text.slice(start, end));
    if (isRead) for (let word = from; word < at; word++) kept.push(words[word]!);
  });
  return kept;
}

/** Whether there is a capital letter other than that of a common word at the beginning. */
export function canHoldName(sentence: string): boolean {
  if (ALWAYS_READ.test(sentence)) return true;
  const first = FIRST_WORD.exec(sentence);
  if (!first) return false;
  const [word] = first;
  if (CAPITAL.test(word.slice(1)) || CAPITAL.test(sentence.slice(first.index + word.length))) return true;
  return CAPITAL.test(word) && stopWordLanguages(word.toLowerCase()).length === 0;
}

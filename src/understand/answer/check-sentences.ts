// Whether the passages that a model cites say what its sentence says. By words: every name and number of the sentence stands in
// them, as do most of its other words, and both are negated or neither is.
import { guessLanguage } from '../../text/words/language.ts';
import { eachWantedTerm, queryWords } from '../../text/words/terms.ts';
import { standsOnPage } from '../data/stands-on-page.ts';
import { namesIn } from '../gather/task-words.ts';
import type { CitedSentence } from './answer-work.ts';

/** Words that are no names may be the model's own, but not most of them. */
const LEAST_SHARE = 0.6;
const URL_OR_LINK = /https?:\/\/[^\s<>"')\]]+|\]\(/g;
const NEGATION =
  /\b(?:not|no|never|none|nobody|nothing|neither|nor|cannot|without|nicht|kein\w*|nie|niemals|ohne|ne|pas|jamais|aucune?|sans|nunca|ning[uú]n\w*|sin|non|nessun\w*|senza|niet|geen|nooit|zonder)\b|n['’]t\b/iu;

export const supportedSentences = (sentences: readonly CitedSentence[]): boolean[] => sentences.map(isSupported);

function isSupported({ text, cited, context, url }: CitedSentence): boolean {
  if (cited.length === 0) return false;
  const said = cited.join('\n');
  if ([...text.matchAll(URL_OR_LINK)].some(([address]) => !said.includes(address))) return false;
  if (NEGATION.test(text) !== NEGATION.test(said)) return false;
  const stands = standsOnPage({ url, title: context, markdown: said });
  const names = namesIn(text);
  return [...names].every((name) => stands(name)) && shareOf(text, `${context}\n${said}`) >= LEAST_SHARE;
}

/** The share of the telling words of a text that another one has. */
function shareOf(text: string, other: string): number {
  const words = queryWords(text).filter(({ isStop }) => !isStop);
  if (words.length === 0) return 1;
  const forms = new Map(words.flatMap((word, at) => word.forms.map((form) => [form, at] as const)));
  const found = new Set<number>();
  eachWantedTerm(other, guessLanguage(other), forms, (word) => found.add(word));
  return words.filter((_, at) => found.has(at)).length / words.length;
}

// Judges a search result by the words of a goal, without a language model.
import { stemEnglish } from '../../../text/words/stemmer.ts';
import { stopWordLanguages } from '../../../text/words/stop-words.ts';
import { wordsOf } from '../../../text/words/tokenizer.ts';
import type { JudgedResult } from '../../prompts/tasks/judge-results.ts';
import { readGoal } from './read-goal.ts';

const BY_RULES = 'Judged by rules, without a language model.';
/** The share of the goal's words that a result has to have. */
const ENOUGH = 0.5;
const SOME = 0.25;

export function resultByRules(
  { title = '', description = '', url }: { title?: string; description?: string; url: string },
  goal: string,
): JudgedResult {
  const { wanted, ignored } = readGoal(goal);
  const words = new Set(wordsOf(`${title} ${description} ${decoded(url)}`.toLowerCase()).map(stemEnglish));
  const unwanted = [...ignored].find((word) => words.has(word));
  if (unwanted !== undefined) return { status: 'ignored', reason: `The goal says to ignore it. ${BY_RULES}` };
  const asked = [...wanted].filter((word) => stopWordLanguages(word).length === 0);
  const found = asked.filter((word) => words.has(word));
  const share = asked.length === 0 ? 1 : found.length / asked.length;
  const status = share >= ENOUGH ? 'alert' : share >= SOME ? 'watching' : 'ignored';
  return { status, reason: `It has ${found.length} of ${asked.length} words of the goal. ${BY_RULES}` };
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

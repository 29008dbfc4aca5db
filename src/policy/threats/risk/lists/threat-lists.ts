// Lists of known threats as a risk service. It sends no URL anywhere, so it is free.
import { raceAbort, raceTimeout } from '../../../../util/abort.ts';
import type { RiskAnswer, RiskService } from '../risk-service.ts';
import { createListSource, type ListDeps } from './list-source.ts';

/** How long a request waits for lists that are loaded for the first time. */
const FIRST_LOAD_MS = 10_000;
const LISTED_SCORE = 100;

export function createThreatLists(
  sources: readonly string[],
  deps: ListDeps,
  firstLoadMs = FIRST_LOAD_MS,
): RiskService {
  const lists = sources.map((source) => createListSource(source, deps));
  const withinTime = (answers: readonly (Answer | Promise<Answer>)[]): Promise<Answer[]> =>
    raceTimeout(Promise.all(answers), firstLoadMs, (): Answer[] => [undefined]);
  return {
    name: 'lists',
    isFree: true,
    async ask(url, signal) {
      const answers = lists.map((list) => list.has(url));
      const isWaiting = answers.some((answer) => answer instanceof Promise);
      return verdictOf(isWaiting ? await raceAbort(withinTime(answers), signal) : (answers as Answer[]));
    },
  };
}

type Answer = boolean | undefined;

function verdictOf(answers: readonly Answer[]): RiskAnswer {
  if (answers.includes(true)) return { score: LISTED_SCORE };
  return answers.includes(undefined) ? { failure: 'a list is not loaded' } : { score: 0 };
}

// What is wrong with an answer that came with a good status.
import { type ProblemKind, ProviderProblem } from '../provider-problem.ts';
import { record } from './answer-fields.ts';

const MESSAGES: Record<ProblemKind, string> = {
  quota: 'it allows no more requests for now',
  key: 'it does not accept its key',
  refused: 'it does not take this request',
  down: 'it is out of order',
  malformed: 'its answer has not the shape that was expected',
};

/** Never in the provider's own words: they may hold the key or the query. */
export const problem = (kind: ProblemKind): ProviderProblem => new ProviderProblem(kind, MESSAGES[kind]);

/** The answer as an object, if it has one of these members; anything else is not from this provider. */
export function expectMember(answer: unknown, ...members: string[]): Record<string, unknown> {
  const found = record(answer);
  if (!members.some((member) => Object.hasOwn(found, member))) throw problem('malformed');
  return found;
}

const QUOTA = /quota|credits?\b|run out|too many|rate.?limit|limit (?:reached|exceeded)|exceeded|insufficient/i;
const KEY = /api.?key|unauthori[sz]ed|token|forbidden|authenticat|subscription/i;

/** What an error message tells, for providers that have no codes for it. */
export function problemKindOf(words: string): ProblemKind {
  if (QUOTA.test(words)) return 'quota';
  return KEY.test(words) ? 'key' : 'refused';
}

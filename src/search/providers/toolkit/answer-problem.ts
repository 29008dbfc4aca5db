// Problems with answers that have a success status.
import { PROBLEM_TEXTS, type ProblemKind, ProviderProblem } from '../provider-problem.ts';
import { record } from './answer-fields.ts';

/** Never quotes the provider, whose message may contain the key or the query. */
export const problem = (kind: ProblemKind): ProviderProblem => new ProviderProblem(kind, PROBLEM_TEXTS[kind]);

/** The answer as an object with at least one of these members. Throws for anything else. */
export function expectMember(answer: unknown, ...members: string[]): Record<string, unknown> {
  const found = record(answer);
  if (!members.some((member) => Object.hasOwn(found, member))) throw problem('malformed');
  return found;
}

const QUOTA = /quota|credits?\b|run out|too many|rate.?limit|limit (?:reached|exceeded)|exceeded|insufficient/i;
const KEY = /api.?key|unauthori[sz]ed|token|forbidden|authenticat|subscription/i;

/** Classifies an error message, for providers without error codes. */
export function problemKindOf(words: string): ProblemKind {
  if (QUOTA.test(words)) return 'quota';
  return KEY.test(words) ? 'key' : 'refused';
}

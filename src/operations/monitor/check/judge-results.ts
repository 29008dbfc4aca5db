// Judges new search results by the goal: with a language model, or by the words that both have.
import { ServiceError } from '../../../contracts/errors/errors.ts';
import { resultByRules } from '../../../understand/changes/rules/result-by-rules.ts';
import type { MakerTools } from '../../../understand/format-maker.ts';
import {
  JUDGE_RESULTS,
  JUDGE_RESULTS_SCHEMA,
  type JudgedResult,
  readJudgedResults,
  resultsToJudge,
} from '../../../understand/prompts/tasks/judge-results.ts';
import type { FoundPage } from '../../gather/web-tools.ts';

export interface JudgedResults {
  /** In the order of the results. */
  verdicts: JudgedResult[];
  /** How many the model has judged. */
  byModel: number;
  /** Why rules judged some of them, as a sentence. */
  degraded?: string;
}

/** Few enough that a small model keeps them apart. */
const AT_ONCE = 10;

export async function judgeResults(
  results: readonly FoundPage[],
  goal: string,
  tools: Pick<MakerTools, 'model' | 'work' | 'signal'>,
): Promise<JudgedResults> {
  const judged: JudgedResults = { verdicts: [], byModel: 0 };
  for (let from = 0; from < results.length; from += AT_ONCE) {
    const part = results.slice(from, from + AT_ONCE);
    const asked = await askModel(part, goal, tools);
    const verdicts = 'problem' in asked ? part.map(() => undefined) : asked.verdicts;
    judged.verdicts.push(...part.map((result, at) => verdicts[at] ?? resultByRules(result, goal)));
    judged.byModel += verdicts.filter((verdict) => verdict !== undefined).length;
    const problem = 'problem' in asked ? asked.problem : verdicts.includes(undefined) ? INCOMPLETE : undefined;
    if (problem !== undefined) judged.degraded ??= `Results were judged by rules: ${problem}`;
  }
  return judged;
}

const INCOMPLETE = 'the language model left some of them out.';

async function askModel(
  results: readonly FoundPage[],
  goal: string,
  { model, work, signal }: Pick<MakerTools, 'model' | 'work' | 'signal'>,
): Promise<{ verdicts: (JudgedResult | undefined)[] } | { problem: string }> {
  const chosen = model('judge');
  if ('without' in chosen) return { problem: `${chosen.without}.` };
  const material = resultsToJudge(results, goal);
  try {
    // A result must not decide what is said about the others.
    const scan = await work.findInjection({ markdown: material.results! });
    if (scan.is === 'found') return { problem: 'one of them tries to give orders to language models.' };
    const { value } = await chosen.model.object({
      instructions: JUDGE_RESULTS,
      material,
      schema: JUDGE_RESULTS_SCHEMA,
      signal,
    });
    return { verdicts: readJudgedResults(value, results.length) };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ServiceError)) throw error;
    return { problem: `${chosen.model.name} could not judge them. ${error.message}` };
  }
}

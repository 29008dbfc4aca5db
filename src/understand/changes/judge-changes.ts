// Judges changes by a language model. Without a model, if the model fails, or if the changed text gives orders to models, the
// judgment of the rules stands, and the reason is reported.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { fitTokens } from '../../text/estimate-tokens.ts';
import type { MakerTools } from '../format-maker.ts';
import { changesToJudge, JUDGE_CHANGES, JUDGE_CHANGES_SCHEMA, readJudgment } from '../prompts/tasks/judge-changes.ts';
import type { VersionComparison } from './compare-versions.ts';
import type { Judgment } from './rules/judgment.ts';

export interface JudgedChange {
  judgment: Judgment;
  /** Why no model judged, as a sentence. */
  degraded?: string;
}

/** The rest is for instructions and answer. */
const SHARE_OF_CONTEXT = 0.6;
const MAX_VALUES = 20_000;

/** Undefined if there is nothing to judge. */
export async function judgeChanges(
  { diff, values, judgment: byRules }: Pick<VersionComparison, 'diff' | 'values' | 'judgment'>,
  goal: string | undefined,
  tools: Pick<MakerTools, 'model' | 'work' | 'signal'>,
): Promise<JudgedChange | undefined> {
  if (!byRules) return undefined;
  const degraded = (why: string): JudgedChange => ({ judgment: byRules, degraded: why });
  const chosen = tools.model('judge');
  if ('without' in chosen) return degraded(`Changes were judged by rules: ${chosen.without}.`);
  const { model } = chosen;
  const changed = [diff?.text ?? '', values ? JSON.stringify(values, undefined, 1).slice(0, MAX_VALUES) : ''] as const;
  try {
    // A page must not decide whether its changes are reported.
    const scan = await tools.work.findInjection({ markdown: changed.join('\n') });
    if (scan.is === 'found') {
      return degraded('Changes were judged by rules: the changed text tries to give orders to language models.');
    }
    const { text } = fitTokens(changed[0], model.contextTokens * SHARE_OF_CONTEXT);
    const { value } = await model.object({
      instructions: JUDGE_CHANGES,
      material: changesToJudge(text, changed[1], goal),
      schema: JUDGE_CHANGES_SCHEMA,
      signal: tools.signal,
    });
    const judgment = readJudgment(value);
    return judgment ? { judgment } : degraded(`Changes were judged by rules: ${model.name} gave no judgment.`);
  } catch (error) {
    tools.signal.throwIfAborted();
    if (!(error instanceof ServiceError)) throw error;
    return degraded(`Changes were judged by rules: ${model.name} could not judge. ${error.message}`);
  }
}

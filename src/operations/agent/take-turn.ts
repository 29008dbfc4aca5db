// One turn of an agent's model: a step of the run, so that no turn is paid for twice. What a model does wrong is part of the
// output, because the run goes on with it.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { RunTools } from '../../jobs/runs/run-handler.ts';
import type { LanguageModel, ModelMessage, ModelSpending, ModelTool, ModelTurn } from '../../models/language-model.ts';
import { ModelProblem, type ModelProblemKind } from '../../models/model-problem.ts';
import type { Clock } from '../../util/clock.ts';

/**
 * - unreachable: the model cannot be asked now, or only after the operator has acted
 * - too-long: it has less room than expected
 * - unusable: cut, empty or unreadable; another try may work
 */
export type TurnFailure = 'unreachable' | 'refused' | 'too-long' | 'unusable';

export type TurnOutput =
  | { turn: ModelTurn; summary?: string; model: string }
  | { failed: TurnFailure; message: string; summary?: string };

/** A model with what its calls have used, or the reason why no model can be used, in words for the caller. */
export type ChosenModel = { model: LanguageModel; spending: ModelSpending } | { without: string };

export interface TurnParts {
  tools: RunTools;
  clock: Pick<Clock, 'now' | 'sleep'>;
  model(signal: AbortSignal): ChosenModel;
}

export interface TurnRequest {
  number: number;
  conversation: string;
  instructions: string;
  messages: readonly ModelMessage[];
  offered: readonly ModelTool[];
}

/** Before a run is given up whose model has answered until now. */
const PAUSES_MS = [5_000, 20_000];
const MAX_SUMMARY = 1_000;

export function takeTurn(request: TurnRequest, { tools, clock, model }: TurnParts): Promise<TurnOutput> {
  const { number, conversation, instructions, messages, offered } = request;
  const ask = async (used: ModelSpending, signal: AbortSignal): Promise<TurnOutput> => {
    const chosen = model(signal);
    if ('without' in chosen) return { failed: 'unreachable', message: chosen.without };
    try {
      const { value } = await chosen.model.turn({ id: conversation, instructions, messages, tools: offered, signal });
      const summary = number > 1 ? value.text.slice(0, MAX_SUMMARY) : '';
      return { turn: value, model: chosen.model.name, ...(summary && { summary }) };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ServiceError)) throw error;
      return { failed: failureOf(error), message: error.message };
    } finally {
      used.tokens += chosen.spending.tokens;
      used.credits += chosen.spending.credits;
    }
  };
  return tools.step({ key: `turn ${number}`, name: 'reason', input: { turn: number } }, async (signal) => {
    const used: ModelSpending = { tokens: 0, credits: 0 };
    let output = await ask(used, signal);
    for (const pause of number > 1 ? PAUSES_MS : []) {
      if (!('failed' in output) || output.failed !== 'unreachable') break;
      await clock.sleep(pause, signal);
      output = await ask(used, signal);
    }
    return { output, ...used };
  });
}

const FAILURES: Partial<Record<ModelProblemKind, TurnFailure>> = {
  'too-long': 'too-long',
  refused: 'refused',
  malformed: 'unusable',
  cut: 'unusable',
  empty: 'unusable',
};

function failureOf({ cause }: ServiceError): TurnFailure {
  return (cause instanceof ModelProblem ? FAILURES[cause.kind] : undefined) ?? 'unreachable';
}

// One call of a language model for one team, whole or as a stream.
import type { ModelPurpose } from '../contracts/operator/model-purpose.ts';
import type { Gate } from '../runtime/gate/gate.ts';
import { estimateTokens } from '../text/estimate-tokens.ts';
import type { Clock } from '../util/clock.ts';
import type { Availability } from './availability.ts';
import type { DailyTokens } from './daily-tokens.ts';
import type { ModelAsker, ModelLimits, ModelUsage } from './language-model.ts';
import type { ModelChoice } from './model-choice.ts';
import { ModelProblem } from './model-problem.ts';
import { createModelTurns } from './model-turn.ts';
import type { ModelRequest, ProviderModel, WritingStream, Written } from './provider-model.ts';

export interface CallOutcome {
  purpose: ModelPurpose | 'embed';
  outcome: 'ok' | 'failed' | 'cached';
  usage?: ModelUsage;
}

export interface CallDeps {
  choice: ModelChoice;
  provider: ProviderModel;
  availability: Availability;
  gate: Gate;
  tokens: DailyTokens;
  creditsPer1000Tokens: number;
  clock: Clock;
  onCall(outcome: CallOutcome): void;
}

/** A request without what the call itself adds. */
export type Question = Omit<ModelRequest, 'maxOutputTokens' | 'signal'> & ModelLimits;

export interface AskedModel {
  /** Throws ServiceError, or the reason of the signal. `accept` may turn the answer down with a ModelProblem. */
  ask<T>(question: Question, accept: (written: Written) => T | Promise<T>): Promise<{ value: T; usage: ModelUsage }>;
  /** The same for a stream, which is not tried again. */
  askStream(question: Question): WritingStream & { usage: Promise<ModelUsage> };
}

/** Room for thoughts, which some models write before the answer and which count as output. */
const THINKING_TOKENS = 2_048;

export function createAskedModel(purpose: ModelPurpose, asker: ModelAsker, deps: CallDeps): AskedModel {
  const { choice, provider, onCall } = deps;
  const turns = createModelTurns(asker, {
    ...deps,
    name: choice.name,
    onFailure: (usage) => onCall({ purpose, outcome: 'failed', ...(usage && { usage }) }),
  });

  const requestOf = ({ maxOutputTokens = choice.maxOutputTokens, ...question }: Question, signal: AbortSignal) => ({
    ...question,
    maxOutputTokens: Math.min(maxOutputTokens + THINKING_TOKENS, choice.maxOutputTokens),
    signal,
  });

  return {
    ask: (question, accept) =>
      turns.take(question.signal, async (signal) => {
        const request = requestOf(question, signal);
        const written = await turns.retried(signal, () => provider.write(request));
        const usage = usageOf(written, request);
        await turns.spend(usage);
        const value = await accept(complete(written, usage));
        onCall({ purpose, outcome: 'ok', usage });
        return { value, usage };
      }),
    askStream(question) {
      const { promise: usage, resolve, reject } = Promise.withResolvers<ModelUsage>();
      const written = Promise.withResolvers<Written>();
      for (const promise of [usage, written.promise]) promise.catch(() => {});
      async function* pieces(): AsyncGenerator<string> {
        const time = turns.withinTime(question.signal);
        try {
          await turns.admit();
          const slot = await turns.enter(time.signal);
          try {
            const request = requestOf(question, time.signal);
            const stream = provider.stream(request);
            yield* stream.pieces;
            const whole = await stream.written;
            const counted = usageOf(whole, request);
            await turns.spend(counted);
            written.resolve(complete(whole, counted));
            resolve(counted);
            onCall({ purpose, outcome: 'ok', usage: counted });
          } finally {
            slot.leave();
          }
        } catch (error) {
          const failure = turns.failed(error);
          written.reject(failure);
          reject(failure);
        } finally {
          time.done();
        }
      }
      return { pieces: pieces(), written: written.promise, usage };
    },
  };
}

/** Throws ModelProblem unless the answer is whole. */
function complete(written: Written, usage: ModelUsage): Written {
  if (written.finish === 'cut') throw new ModelProblem('cut', { usage });
  if (written.finish === 'refused') throw new ModelProblem('refused', { usage });
  if (written.finish === 'failed') throw new ModelProblem('malformed', { usage });
  if (written.text.trim() === '' && written.toolCalls.length === 0) throw new ModelProblem('empty', { usage });
  return written;
}

function usageOf({ inputTokens, outputTokens, text, toolCalls }: Written, request: ModelRequest): ModelUsage {
  if (inputTokens && outputTokens !== undefined) return { inputTokens, outputTokens };
  const sent = [request.instructions, JSON.stringify(request.messages), JSON.stringify(request.tools)];
  return {
    inputTokens: inputTokens || estimateTokens(sent.join('')),
    outputTokens: outputTokens || estimateTokens(text + JSON.stringify(toolCalls)),
    isEstimated: true,
  };
}

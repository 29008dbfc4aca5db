// One call of a model for one team: budget of the day, slot, retries within the time of the request, and what it cost.
import { ServiceError } from '../contracts/errors/errors.ts';
import type { ModelPurpose } from '../contracts/operator/model-purpose.ts';
import type { Gate } from '../runtime/gate/gate.ts';
import { estimateTokens } from '../text/estimate-tokens.ts';
import { startDeadline } from '../util/abort.ts';
import type { Clock } from '../util/clock.ts';
import type { Availability } from './availability.ts';
import type { DailyTokens } from './daily-tokens.ts';
import type { ModelAsker, ModelLimits, ModelUsage } from './language-model.ts';
import type { ModelChoice } from './model-choice.ts';
import { isTemporary, ModelProblem, modelError } from './model-problem.ts';
import type { ModelRequest, ProviderModel, WritingStream, Written } from './provider-model.ts';

export interface CallOutcome {
  purpose: ModelPurpose;
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

const MAX_TRIES = 3;
const FIRST_PAUSE_MS = 500;
/** Without a deadline, nobody waits longer than this for a busy server. */
const MAX_PAUSE_MS = 60_000;
/** Time that a request keeps for what follows the call. */
const RESERVE_MS = 500;
/** Room for thoughts, which some models write before the answer and which count as output. */
const THINKING_TOKENS = 2_048;

export function createAskedModel(purpose: ModelPurpose, asker: ModelAsker, deps: CallDeps): AskedModel {
  const { choice, provider, availability, gate, tokens, clock, onCall } = deps;

  const requestOf = ({ maxOutputTokens = choice.maxOutputTokens, ...question }: Question, signal: AbortSignal) => ({
    ...question,
    maxOutputTokens: Math.min(maxOutputTokens + THINKING_TOKENS, choice.maxOutputTokens),
    signal,
  });
  const spend = async (usage: ModelUsage) => {
    const used = usage.inputTokens + usage.outputTokens;
    if (asker.spending) {
      asker.spending.tokens += used;
      asker.spending.credits += (used / 1000) * deps.creditsPer1000Tokens;
    }
    await tokens.add(asker.team, used);
  };
  const admit = async () => {
    await tokens.load(asker.team);
    if (tokens.isUsedUp(asker.team)) {
      throw new ServiceError('MODEL_BUDGET_EXCEEDED', { retryAfter: tokens.secondsLeft() });
    }
  };
  /** Tells everybody who wants to know how a call ended. */
  const settle = (error: unknown, usage?: ModelUsage) => {
    if (error instanceof ModelProblem) availability.failed(error);
    onCall({ purpose, outcome: 'failed', ...(usage && { usage }) });
    return error instanceof ModelProblem ? modelError(choice.name, error) : error;
  };

  return {
    async ask(question, accept) {
      await admit();
      const time = withinTime(asker, clock, question.signal);
      try {
        const slot = await gate.enter(asker, choice.name, time.signal);
        try {
          const request = requestOf(question, time.signal);
          const { written, usage } = await withRetries(request, provider, { asker, clock });
          availability.succeeded();
          await spend(usage);
          const value = await accept(complete(written, usage));
          onCall({ purpose, outcome: 'ok', usage });
          slot.leave();
          return { value, usage };
        } finally {
          slot.leave('failed');
        }
      } catch (error) {
        throw settle(error, error instanceof ModelProblem ? error.usage : undefined);
      } finally {
        time.done();
      }
    },
    askStream(question) {
      const { promise: usage, resolve, reject } = Promise.withResolvers<ModelUsage>();
      const written = Promise.withResolvers<Written>();
      for (const promise of [usage, written.promise]) promise.catch(() => {});
      async function* pieces(): AsyncGenerator<string> {
        const time = withinTime(asker, clock, question.signal);
        try {
          await admit();
          const slot = await gate.enter(asker, choice.name, time.signal);
          try {
            const request = requestOf(question, time.signal);
            const stream = provider.stream(request);
            yield* stream.pieces;
            const whole = await stream.written;
            availability.succeeded();
            const counted = usageOf(whole, request);
            await spend(counted);
            written.resolve(complete(whole, counted));
            resolve(counted);
            onCall({ purpose, outcome: 'ok', usage: counted });
          } finally {
            slot.leave();
          }
        } catch (error) {
          const failure = settle(error);
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

/** Time left to the request, less the time that its remaining work needs. */
function withinTime({ deadline: ends }: ModelAsker, clock: Clock, signal: AbortSignal) {
  if (ends === undefined) return { signal, done: () => {} };
  const left = Math.max(0, ends - clock.now() - RESERVE_MS);
  return startDeadline(left, () => new ServiceError('MODEL_TIMEOUT'), signal);
}

async function withRetries(
  request: ModelRequest,
  provider: ProviderModel,
  { asker, clock }: { asker: ModelAsker; clock: Clock },
): Promise<{ written: Written; usage: ModelUsage }> {
  const latest = asker.deadline ?? clock.now() + MAX_PAUSE_MS;
  for (let tries = 1; ; tries += 1) {
    try {
      const written = await provider.write(request);
      return { written, usage: usageOf(written, request) };
    } catch (error) {
      const mayRetry = error instanceof ModelProblem && isTemporary(error) && tries < MAX_TRIES;
      const pause = mayRetry ? (error.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** (tries - 1)) : 0;
      if (!mayRetry || clock.now() + pause >= latest) throw error;
      await clock.sleep(pause, request.signal);
    }
  }
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

// One turn at a model server for one team: budget of the day, slot, retries within the time of the request, and what it cost.
import { ServiceError } from '../contracts/errors/errors.ts';
import type { Gate } from '../runtime/gate/gate.ts';
import { startDeadline } from '../util/abort.ts';
import type { Clock } from '../util/clock.ts';
import type { Availability } from './availability.ts';
import type { DailyTokens } from './daily-tokens.ts';
import type { ModelAsker, ModelUsage } from './language-model.ts';
import { isTemporary, ModelProblem, modelError } from './model-problem.ts';

export interface TurnDeps {
  /** As errors call the model. */
  name: string;
  availability: Availability;
  gate: Gate;
  tokens: DailyTokens;
  creditsPer1000Tokens: number;
  clock: Clock;
  onFailure(usage?: ModelUsage): void;
}

export interface ModelTurns {
  /** Throws ServiceError, or the reason of the signal. */
  take<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** The parts of a turn, for work that goes on after its first result. */
  admit(): Promise<void>;
  withinTime(signal: AbortSignal): { signal: AbortSignal; done(): void };
  enter(signal: AbortSignal): ReturnType<Gate['enter']>;
  /** Call it with what the server has answered, also if that is of no use. */
  spend(usage: ModelUsage): Promise<void>;
  /** Tells everybody who wants to know that a turn failed, and returns what to throw. */
  failed(error: unknown, usage?: ModelUsage): unknown;
  /** The call again, while it fails for a short time only. */
  retried<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T>;
}

const MAX_TRIES = 3;
const FIRST_PAUSE_MS = 500;
/** Without a deadline, nobody waits longer than this for a busy server. */
const MAX_PAUSE_MS = 60_000;
/** Time that a request keeps for what follows the call. */
const RESERVE_MS = 500;

export function createModelTurns(asker: ModelAsker, deps: TurnDeps): ModelTurns {
  const { name, availability, gate, tokens, clock } = deps;
  const turns: ModelTurns = {
    async take(outer, work) {
      await turns.admit();
      const time = turns.withinTime(outer);
      try {
        const slot = await turns.enter(time.signal);
        try {
          const value = await work(time.signal);
          slot.leave();
          return value;
        } finally {
          slot.leave('failed');
        }
      } catch (error) {
        throw turns.failed(error, error instanceof ModelProblem ? error.usage : undefined);
      } finally {
        time.done();
      }
    },
    async admit() {
      await tokens.load(asker.team);
      if (tokens.isUsedUp(asker.team)) {
        throw new ServiceError('MODEL_BUDGET_EXCEEDED', { retryAfter: tokens.secondsLeft() });
      }
    },
    withinTime(signal) {
      if (asker.deadline === undefined) return { signal, done: () => {} };
      const left = Math.max(0, asker.deadline - clock.now() - RESERVE_MS);
      return startDeadline(left, () => new ServiceError('MODEL_TIMEOUT'), signal);
    },
    enter: (signal) => gate.enter(asker, name, signal),
    async spend(usage) {
      availability.succeeded();
      const used = usage.inputTokens + usage.outputTokens;
      if (asker.spending) {
        asker.spending.tokens += used;
        asker.spending.credits += (used / 1000) * deps.creditsPer1000Tokens;
      }
      await tokens.add(asker.team, used);
    },
    failed(error, usage) {
      if (error instanceof ModelProblem) availability.failed(error);
      deps.onFailure(usage);
      return error instanceof ModelProblem ? modelError(name, error) : error;
    },
    async retried(signal, call) {
      const latest = asker.deadline ?? clock.now() + MAX_PAUSE_MS;
      for (let tries = 1; ; tries += 1) {
        try {
          return await call();
        } catch (error) {
          const mayRetry = error instanceof ModelProblem && isTemporary(error) && tries < MAX_TRIES;
          const pause = mayRetry ? (error.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** (tries - 1)) : 0;
          if (!mayRetry || clock.now() + pause >= latest) throw error;
          await clock.sleep(pause, signal);
        }
      }
    },
  };
  return turns;
}

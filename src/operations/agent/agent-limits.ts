// How much one run of an agent may do. The operator sets it for the effort `high`; the others get a share of it.
import type { AgentRun } from '../../contracts/agent/agent.ts';

/** As the operator has set them. */
export interface AgentCaps {
  maxSteps: number;
  maxTokens: number;
  maxMinutes: number;
  maxPagesPerHost: number;
}

export interface AgentLimits {
  /** Turns of the model. */
  steps: number;
  tokens: number;
  ms: number;
  pagesPerHost: number;
  credits: number;
}

const SHARES: Readonly<Record<NonNullable<AgentRun['effort']>, number>> = { low: 0.25, medium: 0.5, high: 1 };

export function agentLimits(
  caps: AgentCaps,
  { effort = 'medium', maxCredits }: Pick<AgentRun, 'effort' | 'maxCredits'>,
) {
  const share = (cap: number, least: number) => Math.max(least, Math.round(cap * SHARES[effort]));
  return {
    // One turn to read and one to answer are the least that makes sense.
    steps: share(caps.maxSteps, 2),
    tokens: share(caps.maxTokens, 1),
    ms: share(caps.maxMinutes * 60_000, 1),
    pagesPerHost: share(caps.maxPagesPerHost, 1),
    credits: maxCredits,
  } satisfies AgentLimits;
}

export interface Spent {
  turns: number;
  tokens: number;
  credits: number;
  ms: number;
}

/** The word for the cap that is reached, as `stopReason`. */
export function capReached(spent: Spent, limits: AgentLimits): StopReason | undefined {
  if (spent.credits >= limits.credits) return 'max_credits';
  if (spent.turns >= limits.steps) return 'max_steps';
  if (spent.tokens >= limits.tokens) return 'max_tokens';
  return spent.ms >= limits.ms ? 'max_time' : undefined;
}

/** Two turns before the end, or when most of something is used, the model is told to write down what it has. */
export const isNearEnd = (spent: Spent, limits: AgentLimits): boolean =>
  spent.turns >= limits.steps - LAST_TURNS ||
  [
    [spent.credits, limits.credits],
    [spent.tokens, limits.tokens],
    [spent.ms, limits.ms],
  ].some(([used, limit]) => used! > limit! * NEAR);

const LAST_TURNS = 2;
const NEAR = 0.85;

export type StopReason = keyof typeof STOPPED;

/** Why a run ended before it was done. */
export const STOPPED = {
  cancelled: 'The run was cancelled.',
  max_credits: 'The run reached `maxCredits`, or the credits of your team are used up.',
  max_steps: 'The run reached its maximum number of steps. A higher `effort` allows more.',
  max_tokens: 'The run reached its maximum number of tokens. A higher `effort` allows more.',
  max_time: 'The run reached its maximum time. A higher `effort` allows more.',
  max_pages_per_host: 'The run reached the maximum number of pages of one host. A higher `effort` allows more.',
  no_progress: 'The language model made no more progress.',
  refused: 'The language model refused the request.',
  model_failed: 'The language model failed.',
  nothing_found: 'Nothing was found.',
  invalid_result: 'What was found does not fit the schema.',
} as const;

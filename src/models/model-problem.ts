// Errors of model servers, named by the decision they cause. Texts never quote what was sent or received.
import { ServiceError } from '../contracts/errors/errors.ts';
import type { ModelUsage } from './language-model.ts';

/**
 * - key, unknown-model, quota: the operator has to act; the model is not asked for a while
 * - busy, down: the same call may work later
 * - format: the server does not accept this kind of structured output; a simpler one may work
 * - too-long: more text than the model has room for
 * - malformed: the answer cannot be read
 * - cut, empty: the answer is not complete, or not there
 * - refused: the model does not want to answer, or a filter of its provider forbids it
 */
export type ModelProblemKind =
  | 'key'
  | 'unknown-model'
  | 'quota'
  | 'busy'
  | 'down'
  | 'format'
  | 'too-long'
  | 'malformed'
  | 'cut'
  | 'empty'
  | 'refused';

/** What each kind means, as it follows the name of the model. */
export const MODEL_PROBLEM_TEXTS: Readonly<Record<ModelProblemKind, string>> = {
  key: 'does not accept the key that is set for it',
  'unknown-model': 'is not known to its server',
  quota: 'has no quota left at its provider',
  busy: 'is busy',
  down: 'cannot be reached',
  format: 'does not accept the request',
  'too-long': 'has no room for so much text',
  malformed: 'gave an answer that cannot be read',
  cut: 'gave an answer that was cut off at its token limit',
  empty: 'gave an empty answer',
  refused: 'refused to answer',
};

interface ProblemOptions {
  status?: number;
  retryAfterMs?: number;
  /** Cost of the call in spite of the problem. */
  usage?: ModelUsage;
  cause?: unknown;
}

export class ModelProblem extends Error {
  readonly kind: ModelProblemKind;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly usage: ModelUsage | undefined;

  constructor(kind: ModelProblemKind, { status, retryAfterMs, usage, cause }: ProblemOptions = {}) {
    super(`${MODEL_PROBLEM_TEXTS[kind]}${status === undefined ? '' : ` (status ${status})`}`, { cause });
    this.name = 'ModelProblem';
    this.kind = kind;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.usage = usage;
  }
}

/** Only the operator can mend it. */
export const isOperatorProblem = ({ kind }: ModelProblem): boolean =>
  kind === 'key' || kind === 'unknown-model' || kind === 'quota';

export const isTemporary = ({ kind }: ModelProblem): boolean => kind === 'busy' || kind === 'down';

export function modelError(model: string, problem: ModelProblem): ServiceError {
  const message = `The language model ${model} ${problem.message}.`;
  const code = problem.kind === 'refused' ? 'MODEL_REFUSED' : 'MODEL_FAILED';
  return new ServiceError(code, { message, cause: problem });
}

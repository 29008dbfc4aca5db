// Provider errors, named by the decision they cause.

/**
 * - quota: no more requests for now (429, 402 or the provider's equivalent); another key may work
 * - key: it does not accept the key
 * - refused: it does not accept the request
 * - down: no connection, no answer in time, 5xx
 * - malformed: the answer cannot be read: HTML instead of JSON, truncated, or of an unexpected format
 */
export type ProblemKind = 'quota' | 'key' | 'refused' | 'down' | 'malformed';

/** What each kind means, as it follows the provider's name and a colon. */
export const PROBLEM_TEXTS: Readonly<Record<ProblemKind, string>> = {
  quota: 'it allows no more requests for now',
  key: 'it does not accept its key',
  refused: 'it does not accept this request',
  down: 'it is out of order',
  malformed: 'its answer has an unexpected format',
};

export class ProviderProblem extends Error {
  readonly kind: ProblemKind;
  /** Milliseconds to wait, if the provider says so. */
  readonly retryAfterMs: number | undefined;

  /** `message` follows the provider's name and a colon. It must not contain addresses, keys or the query. */
  constructor(
    kind: ProblemKind,
    message: string,
    { retryAfterMs, cause }: { retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.name = 'ProviderProblem';
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The provider may work, but not fast enough for this search. */
export class NoAnswerInTime extends ProviderProblem {
  constructor() {
    super('down', 'it did not answer in time');
    this.name = 'NoAnswerInTime';
  }
}

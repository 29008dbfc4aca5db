// What can be wrong with a provider, named by what is done about it.

/**
 * - quota: no more for now (429, 402, or what the provider calls it); another key may do
 * - key: it does not take the key
 * - refused: it does not take the request
 * - down: no connection, no answer in time, 5xx
 * - malformed: an answer that cannot be read: HTML for JSON, cut off, of another shape
 */
export type ProblemKind = 'quota' | 'key' | 'refused' | 'down' | 'malformed';

export class ProviderProblem extends Error {
  readonly kind: ProblemKind;
  /** Milliseconds to wait, where the provider says so. */
  readonly retryAfterMs: number | undefined;

  /** `message` follows the provider's name and a colon: a phrase for people, without addresses, keys or the query. */
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

/** It may be there, but not soon enough for this search. */
export class NoAnswerInTime extends ProviderProblem {
  constructor() {
    super('down', 'it did not answer in time');
    this.name = 'NoAnswerInTime';
  }
}

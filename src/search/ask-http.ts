// How a provider is asked over HTTP, and the ways in which that can go wrong.

export interface AskRequest {
  /** Below the provider's base address; parameters that are undefined are left out. */
  url: string;
  parameters?: Record<string, string | number | boolean | undefined>;
  headers?: Record<string, string>;
  /** Sent as JSON by POST. */
  body?: unknown;
  /** Sent as a form by POST. */
  form?: Record<string, string>;
}

export interface AskAnswer {
  headers: Record<string, string>;
  text: string;
}

/** Asks by the one egress, with caps on size; throws ProviderProblem. */
export interface Ask {
  json(request: AskRequest, signal: AbortSignal): Promise<unknown>;
  text(request: AskRequest, signal: AbortSignal): Promise<AskAnswer>;
}

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

  /** `message` is for people, without addresses, keys or the query. */
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

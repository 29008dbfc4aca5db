// A call that the service refused, or that did not reach it. The message is the service's own sentence.

export class ApiError extends Error {
  /** From the error table of the service; `UNREACHABLE` if it did not answer. */
  readonly code: string;
  /** The HTTP status; 0 if it did not answer. */
  readonly status: number;
  /** Seconds after which the call may work. */
  readonly retryAfter: number | undefined;
  /** The whole answer, for callers that show it. */
  readonly body: unknown;

  constructor(message: string, { code, status, retryAfter, body }: Omit<ApiError, keyof Error>) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.status = status;
    this.retryAfter = retryAfter;
    this.body = body;
  }
}

// A call that the service refused, or that did not reach it.

export class ApiError extends Error {
  readonly code: string;
  /** 0 if there was no answer. */
  readonly status: number;
  /** The whole answer, if it was JSON. */
  readonly body: unknown;
  constructor(message: string, { code, status, body }: { code: string; status: number; body?: unknown }) {
    super(message);
    this.code = code;
    this.status = status;
    this.body = body;
  }
}

/** In words for a person. */
export const problemText = (error: unknown): string => (error instanceof Error ? error.message : String(error));

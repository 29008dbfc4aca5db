// Classifies what the `ai` packages and the egress throw.
import { type ErrorCode, ServiceError } from '../../contracts/errors/errors.ts';
import { retryAfter } from '../../net/http/retry-after.ts';
import { ModelProblem, type ModelProblemKind } from '../model-problem.ts';

/** The members of the packages' APICallError that are read. Their class is not loaded for it. */
interface CallFault {
  statusCode?: number;
  responseHeaders?: Record<string, string>;
  responseBody?: string;
  cause?: unknown;
}

const TEXT_KINDS: readonly [RegExp, ModelProblemKind][] = [
  [
    /api[ _-]?key[ _a-z]{0,20}(?:invalid|not valid|expired|missing)|invalid[ _-](?:x-)?api[ _-]?key|incorrect api key/i,
    'key',
  ],
  [/insufficient_quota|exceeded your current quota|credit balance is too low|billing/i, 'quota'],
  [
    /context[ _](?:length|size|window)|maximum context|too many (?:input )?tokens|prompt is too long|input is too long/i,
    'too-long',
  ],
  [
    /model[^.]{0,80}(?:not found|does not exist|is not (?:available|supported|found))|model_not_found|unknown model|no such model/i,
    'unknown-model',
  ],
];

export function problemOf(error: unknown, now: number): ModelProblem {
  if (error instanceof ModelProblem) return error;
  for (const fault of causes(error)) {
    if (fault instanceof ModelProblem) return fault;
    if (fault instanceof ServiceError) return new ModelProblem(wireKind(fault.code), { cause: error });
    const status = (fault as CallFault).statusCode;
    if (status !== undefined && (status < 200 || status > 299)) return statusProblem(fault as CallFault, status, now);
  }
  return new ModelProblem('malformed', { cause: error });
}

function statusProblem(fault: CallFault, status: number, now: number): ModelProblem {
  const waitMs = retryAfter(fault.responseHeaders?.['retry-after'], now);
  // Only the kind is taken from it: the body may repeat the key, or the text that was sent.
  const said = fault.responseBody?.slice(0, 4_000) ?? '';
  const byText = TEXT_KINDS.find(([pattern]) => pattern.test(said))?.[1];
  return new ModelProblem(kindOf(status, byText), {
    status,
    ...(waitMs !== undefined && { retryAfterMs: waitMs }),
  });
}

function kindOf(status: number, byText: ModelProblemKind | undefined): ModelProblemKind {
  if (status === 401 || status === 403) return 'key';
  if (status === 402) return 'quota';
  if (status === 429) return byText === 'quota' ? 'quota' : 'busy';
  if (status >= 500 || status === 408 || status === 409 || status === 425) return 'down';
  if (status === 404) return 'unknown-model';
  if (status === 413) return 'too-long';
  return status < 400 ? 'down' : (byText ?? 'format');
}

const wireKind = (code: ErrorCode): ModelProblemKind => (code === 'SCRAPE_PAGE_TOO_LARGE' ? 'malformed' : 'down');

function* causes(error: unknown): Generator<object> {
  let current = error;
  for (let depth = 0; depth < 8 && typeof current === 'object' && current !== null; depth++) {
    yield current;
    const { cause, lastError } = current as { cause?: unknown; lastError?: unknown };
    current = cause ?? lastError;
  }
}

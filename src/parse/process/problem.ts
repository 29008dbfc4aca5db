// Turns whatever a parser throws into a problem that the service can report.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { tooComplex } from '../parse-errors.ts';
import type { ParserProblem } from './process-messages.ts';

const MAX_CAUSE = 2_000;
// V8's messages for running out of stack, string length or memory.
const EXHAUSTED = /call stack|string length|array length|allocation failed|out of memory|heap limit/i;

export function problemOf(error: unknown): ParserProblem {
  const known = error instanceof ServiceError ? error : asServiceError(error);
  const cause = error instanceof ServiceError ? error.cause : error;
  return {
    code: known.code,
    message: known.message,
    ...(cause !== undefined && { cause: textOf(cause).slice(0, MAX_CAUSE) }),
  };
}

const asServiceError = (error: unknown): ServiceError =>
  EXHAUSTED.test(textOf(error))
    ? tooComplex('It is too large or nested too deeply.')
    : new ServiceError('DOCUMENT_DAMAGED');

export const isExhausted = (text: string): boolean => EXHAUSTED.test(text);

/** Libraries throw anything, including objects whose getters throw. */
function textOf(error: unknown): string {
  try {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  } catch {
    return 'unknown';
  }
}

// What the headers of a request say about it: for the log, for traces, and so that it is not done twice.
import type { FastifyRequest } from 'fastify';
import type { RequestFacts } from '../calls/calls.ts';
import { ServiceError } from '../contracts/errors/errors.ts';

const USABLE_ID = /^[\w.:-]{1,128}$/;
const MAX_IDEMPOTENCY_KEY = 256;

/** The id that the caller has given, if it is one that can be written to a log. */
export function givenRequestId(headers: Readonly<Record<string, string | string[] | undefined>>): string | undefined {
  const { 'x-request-id': given } = headers;
  return typeof given === 'string' && USABLE_ID.test(given) ? given : undefined;
}

export const factsOf = ({ id, headers }: FastifyRequest): RequestFacts => ({
  id,
  ...(typeof headers.traceparent === 'string' && { traceparent: headers.traceparent }),
});

/** Throws BAD_REQUEST. `header` is the name that the client uses for it. */
export function idempotencyKeyOf(
  { headers }: Pick<FastifyRequest, 'headers'>,
  header = 'x-idempotency-key',
): string | undefined {
  const given = headers[header];
  if (given === undefined) return undefined;
  const key = String(given).trim();
  if (key !== '' && key.length <= MAX_IDEMPOTENCY_KEY) return key;
  throw new ServiceError('BAD_REQUEST', {
    message: `The header ${header} must have 1 to ${MAX_IDEMPOTENCY_KEY} characters.`,
  });
}

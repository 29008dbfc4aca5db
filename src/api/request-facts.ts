// What the headers of a request say about it, for the log and for traces.
import type { FastifyRequest } from 'fastify';
import type { RequestFacts } from '../calls/calls.ts';

const USABLE_ID = /^[\w.:-]{1,128}$/;

/** The id that the caller has given, if it is one that can be written to a log. */
export function givenRequestId(headers: Readonly<Record<string, string | string[] | undefined>>): string | undefined {
  const { 'x-request-id': given } = headers;
  return typeof given === 'string' && USABLE_ID.test(given) ? given : undefined;
}

export const factsOf = ({ id, headers }: FastifyRequest): RequestFacts => ({
  id,
  ...(typeof headers.traceparent === 'string' && { traceparent: headers.traceparent }),
});

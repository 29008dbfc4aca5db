// Port: what a request starts is known as its work, for the log and for traces.
import type { FastifyRequest } from 'fastify';

export interface RequestFacts {
  /** As the caller or a proxy named it, else a new one. It is in the answer and in every line of the log. */
  id: string;
  operation: string;
  /** The span of the caller (W3C Trace Context). */
  traceparent?: string;
}

export type InRequest = <T>(facts: RequestFacts, work: () => Promise<T>) => Promise<T>;

const USABLE_ID = /^[\w.:-]{1,128}$/;

/** The id that the caller has given, if it is one that can be written to a log. */
export function givenRequestId(headers: Readonly<Record<string, string | string[] | undefined>>): string | undefined {
  const { 'x-request-id': given } = headers;
  return typeof given === 'string' && USABLE_ID.test(given) ? given : undefined;
}

export const factsOf = ({ id, headers, routeOptions }: FastifyRequest, operation?: string): RequestFacts => ({
  id,
  operation: operation ?? `${routeOptions.method} ${routeOptions.url}`,
  ...(typeof headers.traceparent === 'string' && { traceparent: headers.traceparent }),
});

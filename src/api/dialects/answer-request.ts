// Has a dialect answer an admitted request: reads its body, makes the pipeline callable for it, and sends what it answers.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Download } from '../../archive/download.ts';
import { DIALECTS, type DialectName } from '../../contracts/dialects/dialect-names.ts';
import type { KeyedOperation, ResponseOf } from '../../contracts/route-types.ts';
import { type Method, ROUTES, type Route } from '../../contracts/routes.ts';
import type { DialectAnswer, DialectCall, DialectRequest, Trawl } from '../../dialects/dialect.ts';
import type { FoundRoute } from '../../dialects/find-route.ts';
import type { Log } from '../../runtime/log.ts';
import { assert } from '../../util/assert.ts';
import { JsonText } from '../../util/json/json-text.ts';
import type { Admission } from '../callers/admission.ts';
import type { BaseUrlOf } from '../callers/base-url.ts';
import { createInnerCalls, type InnerCallDeps } from '../callers/inner-calls.ts';
import { callerSignal } from '../client-gone.ts';
import { factsOf, idempotencyKeyOf } from '../request-facts.ts';
import { sendAnswer } from '../send-answer.ts';
import { type BodyDeps, readBody, readFile } from './read-body.ts';

export interface AnswerRequestDeps extends InnerCallDeps, BodyDeps {
  admission: Pick<Admission, 'identityOf' | 'isAdmitted'>;
  baseUrlOf: BaseUrlOf;
  log: Log;
}

/** A request whose route is known, and its content type, which the framework is not shown. */
export interface Arrival extends FoundRoute {
  name: DialectName;
  type: string;
  /** Set if the key may be in the body: admits the sender once that is read. */
  admitLate?(body: unknown): Promise<void>;
}

/** For a body that is read before its sender is known. */
const MAX_STRANGER_BYTES = 64 * 1024;

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

export async function answerRequest(deps: AnswerRequestDeps, arrival: Arrival, exchange: Exchange): Promise<unknown> {
  const { request, reply } = exchange;
  const { route, name, type, params, admitLate } = arrival;
  const signal = callerSignal(request, reply, deps.stopping);
  const reading = { request, reply, type, signal };
  const baseUrl = deps.baseUrlOf(request);
  const isKeyed = route.call !== undefined;
  const file = isKeyed && route.takes === 'file' ? await readFile(deps, reading) : undefined;
  try {
    // Nobody is admitted whose body could be read, unless it has to be looked at for the key.
    const body = isKeyed && !file ? await readBody(deps, reading, admitLate && MAX_STRANGER_BYTES) : {};
    await admitLate?.(body);
    const asked: DialectRequest = {
      id: factsOf(request).id,
      method: request.method as Method,
      params,
      query: request.query as DialectRequest['query'],
      body,
      ...(file && { file }),
      header: (header) => request.headers[header]?.toString(),
      ...{ baseUrl, prefix: `${baseUrl}${DIALECTS[name].prefix}`, signal },
    };
    return send(
      await route.answer(asked, pipelineOf(deps, arrival, { request, signal })),
      { ...exchange, signal },
      deps,
    );
  } finally {
    await file?.release();
  }
}

const MAX_WARNING = 1_000;

function send(
  answer: DialectAnswer,
  exchange: Exchange & { signal: AbortSignal },
  { log }: Pick<AnswerRequestDeps, 'log'>,
) {
  const { status = 200, type, headers = {}, body, warnings = [] } = answer;
  const { reply } = exchange;
  const warning = warnings.filter((each) => each !== undefined).join(' ');
  // The address may have a key in it, which no page may see that an answer leads to.
  reply.code(status).headers({ 'referrer-policy': 'no-referrer', ...headers });
  if (warning !== '') reply.header('x-trawl-warning', printable(warning).slice(0, MAX_WARNING));
  if (type !== undefined) reply.type(type);
  return sendAnswer(body, { ...exchange, log });
}

/** Headers hold one line of ASCII. */
const printable = (text: string): string => text.replace(/\s+/g, ' ').replace(/[^\x20-\x7e]/g, '?');

/** Calls that an answer consists of are all made as its caller; the first of the admitted kind is already counted. */
function pipelineOf(
  deps: AnswerRequestDeps,
  { route, name }: Arrival,
  { request, signal: own }: { request: FastifyRequest; signal: AbortSignal },
): Trawl {
  const identity = deps.admission.isAdmitted(request) ? deps.admission.identityOf(request) : undefined;
  const run = createInnerCalls(deps, {
    identity: () => identity,
    baseUrl: deps.baseUrlOf(request),
    request: factsOf(request),
    ...(route.call && { admitted: route.call }),
  });
  const make = async <Id extends KeyedOperation>(id: Id, call: DialectCall<Id>) => {
    const { params = {}, query = {}, body, file, isIdempotent = false, signal = own } = call;
    const { request: takesBody }: Route = ROUTES[id];
    const idempotencyKey = isIdempotent ? keyOf(request) : undefined;
    return run(id, {
      ...{ params, query, signal },
      // As it would arrive. Who sends it is named in the service's list of requests.
      ...(takesBody && { body: { origin: name, ...asSent(body ?? {}) } }),
      ...(file && { file }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    });
  };
  return {
    async text(id, call = {}) {
      const answer: unknown = await make(id, call);
      return answer instanceof JsonText ? answer : new JsonText(JSON.stringify(answer));
    },
    async call<Id extends KeyedOperation>(id: Id, call: DialectCall<Id> = {}) {
      const answer: unknown = await make(id, call);
      assert(!(answer instanceof Download), 'Dialects download nothing.');
      if (!(answer instanceof JsonText)) return answer as ResponseOf<Id>;
      return JSON.parse(Buffer.from(answer.bytes).toString()) as ResponseOf<Id>;
    },
  };
}

/** What is undefined is left out, and nothing is shared with the dialect. */
const asSent = (body: object): object => JSON.parse(JSON.stringify(body)) as object;

const keyOf = (request: FastifyRequest): string | undefined =>
  idempotencyKeyOf(request) ?? idempotencyKeyOf(request, 'idempotency-key');

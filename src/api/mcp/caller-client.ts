// MCP as an adapter of calls: what a tool asks for is called as the caller of `/mcp`, who was identified with its request, and
// passes no HTTP a second time.

import { Download } from '../../archive/download.ts';
import type { Calls, RequestFacts } from '../../calls/calls.ts';
import { type ApiClient, apiErrorOf, type ClientCall, sentQuery } from '../../client/api-client.ts';
import { ApiError } from '../../client/api-error.ts';
import { ServiceError, styledErrorBody } from '../../contracts/errors/errors.ts';
import type { ServiceMetrics } from '../../contracts/operator/metrics.ts';
import type { KeyedOperation, OpenOperation, ResponseOf } from '../../contracts/route-types.ts';
import { ROUTES, type Route } from '../../contracts/routes.ts';
import type { OpenCall, OpenOperations } from '../../operations/call.ts';
import type { Identity } from '../../operations/caller.ts';
import { assert } from '../../util/assert.ts';
import { JsonText } from '../../util/json/json-text.ts';
import { countFailure, type ErrorReader } from '../errors.ts';
import { measureRequest } from '../measure-requests.ts';

export interface CallerClientDeps {
  calls: Calls;
  openOperations: Pick<OpenOperations, OpenToTools>;
  readError: ErrorReader;
  metrics: Pick<ServiceMetrics, 'count' | 'observe'>;
  /** Also ends calls whose caller is gone, such as that which cancels a job. */
  stopping: AbortSignal;
}

/** What resources read besides calls with a key. */
const OPEN_TO_TOOLS = ['chapters', 'manual'] as const satisfies OpenOperation[];
type OpenToTools = (typeof OPEN_TO_TOOLS)[number];

interface ToolCaller {
  /** Undefined once the key has ended. */
  identity(): Identity | undefined;
  baseUrl: string;
  request: RequestFacts;
}

const OK = 200;
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

export function createCallerClient(deps: CallerClientDeps, { identity, baseUrl, request }: ToolCaller): ApiClient {
  const { calls, openOperations, metrics, stopping } = deps;
  const run = async <Id extends KeyedOperation>(id: Id, call: ClientCall<Id>): Promise<ResponseOf<Id>> => {
    const { params = {}, query = {}, body, file, signal } = call;
    assert(!file, 'Files of callers elsewhere are uploaded, not sent by tools.');
    const who = identity();
    if (!who) throw new ServiceError('UNAUTHORIZED', { message: 'Unauthorized: Invalid token' });
    await calls.admit(id, who);
    const caller = { ...who, signal: signal ? AbortSignal.any([signal, stopping]) : stopping };
    caller.signal.throwIfAborted();
    const sent = { params, query: sentQuery(query), body: asSent(body), baseUrl };
    return readAnswer(await calls.run(id, caller, sent, request)) as ResponseOf<Id>;
  };
  const measured = async <T>(
    id: KeyedOperation | OpenToTools,
    signal: AbortSignal | undefined,
    work: () => Promise<T>,
  ) => {
    const began = performance.now();
    const measure = (status: number | 'aborted') => measureRequest(metrics, id, status, performance.now() - began);
    try {
      const answer = await work();
      measure(OK);
      return answer;
    } catch (error) {
      if (signal?.aborted) {
        measure('aborted');
        throw signal.reason;
      }
      if (error instanceof ApiError) throw error;
      const failure = deps.readError(error);
      measure(failure.status);
      countFailure(metrics, failure);
      const { errorStyle }: Route = ROUTES[id];
      throw apiErrorOf(failure, styledErrorBody(failure, errorStyle));
    }
  };
  return {
    call: (id, call = {}) => measured(id, call.signal, () => run(id, call)),
    download: (id, { params, signal } = {}) => {
      const open = OPEN_TO_TOOLS.find((each) => each === id);
      assert(open, 'Tools read no other files.');
      return measured(open, signal, async () => {
        const { status, body } = await openOperations[open]({ params, baseUrl } as OpenCall<OpenToTools> &
          OpenCall<'manual'>);
        return { status, headers: {}, body: bytesOf(body) };
      });
    },
  };
}

/** As it would arrive: what is undefined is left out, and nothing is shared with the tool. */
const asSent = (body: unknown): unknown => (body === undefined ? undefined : JSON.parse(JSON.stringify(body)));

function readAnswer(answer: unknown): unknown {
  assert(!(answer instanceof Download), 'Tools download nothing.');
  if (!(answer instanceof JsonText)) return answer;
  if (answer.bytes.byteLength > MAX_ANSWER_BYTES) {
    throw new ApiError('The answer is too large for a tool. Ask for less, or use the HTTP interface.', {
      ...{ code: 'ANSWER_TOO_LARGE', status: 0, retryAfter: undefined, body: undefined },
    });
  }
  return JSON.parse(Buffer.from(answer.bytes).toString());
}

async function* bytesOf(body: unknown): AsyncGenerator<Uint8Array> {
  yield Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

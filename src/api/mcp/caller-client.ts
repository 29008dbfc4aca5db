// MCP as an adapter of calls: what a tool asks for is called as the caller of `/mcp`, who was identified with its request, and
// passes no HTTP a second time.

import { Download } from '../../archive/download.ts';
import { type ApiClient, apiErrorOf, type ClientCall, sentQuery } from '../../client/api-client.ts';
import { ApiError } from '../../client/api-error.ts';
import { styledErrorBody } from '../../contracts/errors/errors.ts';
import type { KeyedOperation, OpenOperation, ResponseOf } from '../../contracts/route-types.ts';
import { ROUTES, type Route } from '../../contracts/routes.ts';
import type { OpenCall, OpenOperations } from '../../operations/call.ts';
import { assert } from '../../util/assert.ts';
import { JsonText } from '../../util/json/json-text.ts';
import { createInnerCalls, type InnerCallDeps, type InnerCaller, measured } from '../callers/inner-calls.ts';
import { countFailure, type ErrorReader } from '../errors.ts';

export interface CallerClientDeps extends InnerCallDeps {
  openOperations: Pick<OpenOperations, OpenToTools>;
  readError: ErrorReader;
}

/** What resources read besides calls with a key. */
const OPEN_TO_TOOLS = ['chapters', 'manual'] as const satisfies OpenOperation[];
type OpenToTools = (typeof OPEN_TO_TOOLS)[number];

const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

export function createCallerClient(deps: CallerClientDeps, caller: InnerCaller): ApiClient {
  const { openOperations, metrics } = deps;
  const run = createInnerCalls(deps, caller);
  const asApiError = async <T>(
    id: KeyedOperation | OpenToTools,
    signal: AbortSignal | undefined,
    work: () => Promise<T>,
  ): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ApiError || signal?.aborted) throw error;
      const failure = deps.readError(error);
      countFailure(metrics, failure);
      const { errorStyle }: Route = ROUTES[id];
      throw apiErrorOf(failure, styledErrorBody(failure, errorStyle));
    }
  };
  return {
    call: <Id extends KeyedOperation>(id: Id, call: ClientCall<Id> = {}) =>
      asApiError(id, call.signal, async () => {
        const { params = {}, query = {}, body, file, signal } = call;
        assert(!file, 'Files of callers elsewhere are uploaded, not sent by tools.');
        const sent = { params, query: sentQuery(query), body: asSent(body), signal };
        return readAnswer(await run(id, sent)) as ResponseOf<Id>;
      }),
    download: (id, { params, signal } = {}) => {
      const open = OPEN_TO_TOOLS.find((each) => each === id);
      assert(open, 'Tools read no other files.');
      const read = async () => {
        const { status, body } = await openOperations[open]({
          params,
          baseUrl: caller.baseUrl,
        } as OpenCall<OpenToTools> & OpenCall<'manual'>);
        return { status, headers: {}, body: bytesOf(body) };
      };
      return asApiError(open, signal, () => measured(metrics, open, signal, read));
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

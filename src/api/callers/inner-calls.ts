// Calls within the process, for wires that translate what they are sent: each is admitted, measured and run like a request of
// its own, as the caller who was identified with the outer one.
import type { Calls, RequestFacts, SentCall } from '../../calls/calls.ts';
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { MeasuredAs, ServiceMetrics } from '../../contracts/operator/metrics.ts';
import type { KeyedOperation } from '../../contracts/route-types.ts';
import type { AnswerOf } from '../../operations/call.ts';
import type { Identity } from '../../operations/caller.ts';
import { measureRequest } from '../measure-requests.ts';

export interface InnerCallDeps {
  calls: Calls;
  metrics: Pick<ServiceMetrics, 'count' | 'observe'>;
  /** Also ends calls whose caller is gone, such as that which cancels a job. */
  stopping: AbortSignal;
}

export interface InnerCaller {
  /** Undefined once the key has ended. */
  identity(): Identity | undefined;
  baseUrl: string;
  request: RequestFacts;
  /** The call that was admitted with the request: it is not counted against the rate a second time. */
  admitted?: KeyedOperation;
}

export interface InnerCall extends Omit<SentCall, 'baseUrl'> {
  signal?: AbortSignal;
}

/** Throws whatever the call throws, or the reason of its own signal. */
export type MakeInnerCall = <Id extends KeyedOperation>(id: Id, call: InnerCall) => Promise<AnswerOf<Id>>;

const OK = 200;
const UNKNOWN = 500;

export function createInnerCalls(
  { calls, metrics, stopping }: InnerCallDeps,
  { identity, baseUrl, request, admitted }: InnerCaller,
): MakeInnerCall {
  let ahead = admitted;
  return (id, { signal, ...sent }) =>
    measured(metrics, id, signal, async () => {
      const who = identity();
      if (!who) throw new ServiceError('UNAUTHORIZED', { message: 'Unauthorized: Invalid token' });
      if (ahead === id) ahead = undefined;
      else await calls.admit(id, who);
      const caller = { ...who, signal: signal ? AbortSignal.any([signal, stopping]) : stopping };
      caller.signal.throwIfAborted();
      return calls.run(id, caller, { ...sent, baseUrl }, request);
    });
}

/** Counts and times `work` as one request. */
export async function measured<T>(
  metrics: InnerCallDeps['metrics'],
  operation: MeasuredAs,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const began = performance.now();
  const measure = (status: number | 'aborted') => measureRequest(metrics, operation, status, performance.now() - began);
  try {
    const answer = await work();
    measure(OK);
    return answer;
  } catch (error) {
    if (signal?.aborted) {
      measure('aborted');
      throw signal.reason;
    }
    measure(error instanceof ServiceError ? error.status : UNKNOWN);
    throw error;
  }
}

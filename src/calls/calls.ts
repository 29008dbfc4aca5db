// The pipeline of every call that needs a key: admit the caller, validate the request, check the policy, run the operation. HTTP,
// MCP and sockets are adapters of it.
import { ServiceError } from '../contracts/errors/errors.ts';
import { plannedScrapeText } from '../contracts/planned-routes.ts';
import type { RateState } from '../contracts/rate-state.ts';
import type { KeyedOperation } from '../contracts/route-types.ts';
import { ROUTES, type Route } from '../contracts/routes.ts';
import { givenNames, validate } from '../contracts/validate/validate.ts';
import type { AnswerOf, Call, Operations } from '../operations/call.ts';
import type { Caller, Identity } from '../operations/caller.ts';
import type { Keyless } from '../operations/onboarding/keyless.ts';
import type { PolicyStage } from '../policy/policy-stage.ts';

/** How a request is found again in the log and in traces. */
export interface RequestFacts {
  /** As the caller or a proxy named it, else a new one. It is in the answer and in every line of the log. */
  id: string;
  /** The span of the caller (W3C Trace Context). */
  traceparent?: string;
}

/** Everything that `work` starts is known as the work of the request, for the log and for traces. */
export type InRequest = <T>(facts: RequestFacts & { operation: string }, work: () => Promise<T>) => Promise<T>;

/** A call as it was sent: nothing of it is checked. */
export interface SentCall extends Pick<Call, 'file' | 'idempotencyKey' | 'baseUrl'> {
  body?: unknown;
  params: Readonly<Record<string, string>>;
  query: SentQuery;
}

export type SentQuery = Readonly<Record<string, string | readonly string[]>>;

export interface Calls {
  /** Whether it is served without a key. */
  isKeyless(id: KeyedOperation): boolean;
  /** To be asked before anything is read of what was sent. Throws ServiceError. `onRate` is told what is left of the rate. */
  admit(id: KeyedOperation, identity: Identity, onRate?: (rate: RateState) => void): Promise<void>;
  /** The call of an admitted caller. Throws whatever the operation throws. */
  run<Id extends KeyedOperation>(id: Id, caller: Caller, sent: SentCall, request: RequestFacts): Promise<AnswerOf<Id>>;
}

interface Deps {
  policy: PolicyStage;
  /** Absent if nothing is served without a key. */
  keyless?: Keyless;
  operations: Operations;
  inRequest: InRequest;
  stopping: AbortSignal;
}

export function createCalls({ policy, keyless, operations, inRequest, stopping }: Deps): Calls {
  const use = (id: KeyedOperation) => (keyless ? policy.keylessUse(id) : undefined);
  return {
    isKeyless: (id) => use(id) !== undefined,
    async admit(id, identity, onRate) {
      if (identity.isKeyless && !use(id)) throw new ServiceError('UNAUTHORIZED');
      const rate = await policy.admit(id, identity, stopping);
      if (rate) onRate?.(rate);
      if (identity.isKeyless && use(id) === 'counted') await keyless!.take(identity.key!);
    },
    run: (id, caller, sent, request) =>
      inRequest({ ...request, operation: id }, async () => {
        try {
          const call = validated(id, caller, sent);
          call.body = await policy.check(id, caller, call.body, call.given);
          return await operations[id](call);
        } catch (error) {
          throw caller.isKeyless && keyless ? keyless.explain(error) : error;
        }
      }),
  };
}

function validated<Id extends KeyedOperation>(
  id: Id,
  caller: Caller,
  { body, params, query, ...sent }: SentCall,
): Call<Id> {
  const route: Route = ROUTES[id];
  const planned = id === 'scrape' ? plannedScrapeText(body) : undefined;
  if (planned !== undefined) throw new ServiceError('NOT_IMPLEMENTED', { message: planned });
  const call = {
    ...sent,
    caller,
    body: route.request && validate(route.request, body, route.invalidRequest),
    given: givenNames(body),
    params,
    query: route.query ? validate(route.query, oneValueEach(query, route.repeatable)) : {},
  };
  // The schemas of the route have just made it one; the compiler cannot follow a table into its schemas.
  return call as unknown as Call<Id>;
}

/** If a parameter is not repeatable, its last value counts. */
export const oneValueEach = (query: SentQuery, repeatable: readonly string[] = []): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      name,
      repeatable.includes(name) ? [value].flat() : [value].flat().at(-1),
    ]),
  );

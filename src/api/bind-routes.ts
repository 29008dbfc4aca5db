// HTTP as an adapter of calls: each route admits the sender, reads what was sent, makes the call and sends the answer.
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { type Calls, oneValueEach, type SentQuery } from '../calls/calls.ts';
import { ServiceError } from '../contracts/errors/errors.ts';
import { PLANNED_ROUTES, plannedText } from '../contracts/planned-routes.ts';
import { rateHeaders } from '../contracts/rate-state.ts';
import type { KeyedOperation, OpenOperation } from '../contracts/route-types.ts';
import { type Method, type OperationId, ROUTES, type Route } from '../contracts/routes.ts';
import { validate } from '../contracts/validate/validate.ts';
import type { OpenCall, OpenOperations } from '../operations/call.ts';
import type { Caller } from '../operations/caller.ts';
import type { Keyless } from '../operations/onboarding/keyless.ts';
import type { Log } from '../runtime/log.ts';
import { createTurns, type TakeTurn } from '../runtime/threads/turns.ts';
import type { UploadStore } from '../store/ports/files/upload-store.ts';
import { type FormLimits, readForm, routeForm } from './bodies/multipart.ts';
import { announcedLength, rawBodyOf, routeUnreadBodies } from './bodies/upload-body.ts';
import type { Admission } from './callers/admission.ts';
import type { BaseUrlOf } from './callers/base-url.ts';
import type { ReadForwarded } from './callers/forwarded.ts';
import { isFromOwnPage, isFromOwnUser } from './callers/this-machine.ts';
import { callerSignal } from './client-gone.ts';
import { refuseOtherMethods } from './other-methods.ts';
import { factsOf, idempotencyKeyOf } from './request-facts.ts';
import { sendAnswer } from './send-answer.ts';
import type { WatchedRoute } from './watch/watchers.ts';

interface Deps {
  admission: Admission;
  calls: Calls;
  /** Absent if nothing is served without a key. */
  keyless?: Keyless;
  openOperations: OpenOperations;
  watched: WatchedRoute;
  baseUrlOf: BaseUrlOf;
  readForwarded: ReadForwarded;
  stopping: AbortSignal;
  hold: UploadStore['hold'];
  forms: FormLimits;
  log: Log;
}

type Bound = Pick<Route, 'method' | 'path' | 'formerly' | 'request' | 'upload' | 'errorStyle' | 'operator'>;
type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown;

const OPEN_BODY_BYTES = 4_096;

export function bindRoutes(app: FastifyInstance, deps: Deps): void {
  const { admission, calls, openOperations, watched, baseUrlOf, readForwarded, stopping, hold, forms } = deps;
  const taken = new Map<string, Set<string>>();
  const takeTurn = createTurns();
  const unread: RouteOptions[] = [];
  const bind = (bound: Bound, handler: Handler, more?: Partial<RouteOptions>): void => {
    const { method, path, formerly, request, upload, errorStyle } = bound;
    taken.set(path, (taken.get(path) ?? new Set()).add(method));
    const route = { method, url: path, handler, config: { errorStyle }, ...more };
    if (upload === 'form') routeForm(app, route);
    else if (request === undefined && method !== 'GET') unread.push(route);
    else app.route(route);
    if (formerly !== undefined) bind({ ...bound, path: formerly, formerly: undefined }, handler, more);
  };
  const bindWithKey = (
    route: Bound & Pick<Route, 'cacheControl' | 'deprecated'>,
    handle: (request: FastifyRequest, caller: Caller) => unknown,
    more: Partial<RouteOptions>,
  ) =>
    bind(
      route,
      async (request, reply) => {
        const caller = { ...admission.identityOf(request), signal: callerSignal(request, reply, stopping) };
        const answer = await handle(request, caller);
        if (route.cacheControl !== undefined) reply.header('cache-control', route.cacheControl);
        if (route.deprecated) reply.headers(deprecationHeaders(route.deprecated, baseUrlOf(request)));
        return sendAnswer(answer, { request, reply, signal: caller.signal, log: deps.log });
      },
      more,
    );

  const bindKeyed = (id: KeyedOperation) => {
    const route: Route = ROUTES[id];
    const handle = async (request: FastifyRequest, caller: Caller) => {
      const sent = {
        ...addressOf(request),
        body: request.body,
        ...(route.idempotent && { idempotencyKey: idempotencyKeyOf(request) }),
        baseUrl: baseUrlOf(request),
      };
      const form = route.upload === 'form' ? await readForm(request, hold, forms, caller.signal) : undefined;
      if (!form) return calls.run(id, caller, sent, factsOf(request));
      const withFile = { ...sent, body: form.options, file: form.file };
      return calls.run(id, caller, withFile, factsOf(request)).finally(() => form.file.release());
    };
    bindWithKey(route, handle, { onRequest: admitCall(id, { ...deps, takeTurn }), ...(route.watch && watched(id)) });
  };
  const bindOpen = <Id extends OpenOperation>(id: Id) => {
    const route: Route = ROUTES[id];
    const [contentType = 'application/json'] = [route.contentType ?? []].flat();
    bind(
      route,
      async (request, reply) => {
        const onAccept = () => admission.admitLink(request);
        const signal = callerSignal(request, reply, stopping);
        const body = route.upload
          ? rawBodyOf(request, { reply, stallMs: forms.stallMs, onAccept, signal })
          : route.request && validate(route.request, request.body, route.invalidRequest);
        const call = {
          ...openCall(request, readForwarded, baseUrlOf(request)),
          session: () => admission.sessionOf(request),
          ...(body !== undefined && { body }),
        };
        const { status, headers = {}, body: answer } = await openOperations[id](call as OpenCall<Id>);
        return reply.code(status).type(contentType).headers(headers).send(answer);
      },
      route.operator
        ? { onRequest: admission.admitOperator }
        : route.request && smallBody(admission, route.maxBodyBytes),
    );
  };
  for (const [id, route] of Object.entries(ROUTES) as [OperationId, Route][])
    if (route.open) bindOpen(id as OpenOperation);
    else bindKeyed(id as KeyedOperation);
  for (const planned of PLANNED_ROUTES) {
    const [method, path] = planned.route.split(' ') as [Method, string];
    const refuse = async () => {
      throw new ServiceError('NOT_IMPLEMENTED', { message: plannedText(planned) });
    };
    bindWithKey({ method, path }, refuse, { onRequest: admission.admit });
  }
  routeUnreadBodies(app, unread);
  for (const [path, methods] of taken) refuseOtherMethods(app, path, [...methods]);
}

interface AdmitDeps extends Pick<Deps, 'admission' | 'calls' | 'keyless'> {
  takeTurn: TakeTurn;
}

/** Admits the sender, then the call. Hundreds that come at once are begun in turns, so others are answered meanwhile. */
const admitCall =
  (id: KeyedOperation, { admission, calls, keyless, takeTurn }: AdmitDeps) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    await new Promise<void>(takeTurn);
    const isStranger = calls.isKeyless(id) && !request.ws && admission.isStranger(request);
    await (isStranger ? admission.admitKeyless(request, keyless!.identify) : admission.admit(request));
    // The call of a socket is admitted with its sender, see watch/watchers.ts.
    if (request.ws) return;
    await calls.admit(id, admission.identityOf(request), (rate) => reply.headers(rateHeaders(rate)));
  };

/** Anybody may send one, so it must be small and say so. */
const smallBody = (admission: Admission, bodyLimit = OPEN_BODY_BYTES) => ({
  bodyLimit,
  onRequest: async (request: FastifyRequest) => {
    const { length, isKnown } = bodySize(request);
    if (!isKnown || length > bodyLimit) {
      const message = `This call takes a body of up to ${bodyLimit} bytes, with its Content-Length.`;
      throw new ServiceError('PAYLOAD_TOO_LARGE', { message });
    }
    admission.admitLink(request);
  },
});

/** As RFC 8288 and the older drafts of the field `Deprecation` write it, which is what clients of such calls look for. */
const deprecationHeaders = ({ replacement, notice }: NonNullable<Route['deprecated']>, baseUrl: string) => ({
  deprecation: 'true',
  link: `<${baseUrl}${replacement}>; rel="successor-version"`,
  warning: `299 - "${notice}"`,
});

const addressOf = ({ params, query }: FastifyRequest) => ({
  params: params as Record<string, string>,
  query: query as SentQuery,
});

function openCall(request: FastifyRequest, readForwarded: ReadForwarded, baseUrl: string) {
  const { headers } = request;
  const { range, 'if-range': condition, 'if-none-match': ifNoneMatch } = headers;
  // Files have no validators that If-Range could name.
  const { params, query } = addressOf(request);
  return {
    params,
    query: oneValueEach(query),
    isHead: request.method === 'HEAD',
    ...(condition === undefined && { range }),
    ifNoneMatch,
    header: (name: string) => headers[name]?.toString(),
    address: readForwarded(request).address,
    isFromOwnUser: () => isFromOwnUser(request),
    isFromOwnPage: () => isFromOwnPage(request, baseUrl),
    baseUrl,
  };
}

const bodySize = (request: FastifyRequest) => {
  const length = announcedLength(request);
  return { length: length ?? 0, isKnown: length !== undefined || request.headers['transfer-encoding'] === undefined };
};

// Loaded into every service that a test starts: checks each JSON answer against the response schema of its route before it
// is sent. An answer that does not match is replaced by an error, which makes the waiting test fail. In the process of a
// test, only services that are started by `withAnswerChecks` are checked: other files there answer what they like.
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import { isDeepStrictEqual } from 'node:util';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ErrorCode } from '../../src/contracts/errors/errors.ts';
import { routeErrors } from '../../src/contracts/errors/route-errors.ts';
import { ROUTES, type Route } from '../../src/contracts/routes.ts';

const errorAnswer = z.object({
  success: z.literal(false),
  code: z.string(),
  error: z.string().min(1),
  details: z.unknown().optional(),
  runId: z.string().optional(),
  checkId: z.string().optional(),
  feedbackErrorCode: z.string().optional(),
});
const oauthErrorAnswer = z.object({
  error: z.string().regex(/^[a-z_]+$/),
  error_description: z.string().min(1),
  message: z.string().min(1),
});
const detailedErrorAnswer = errorAnswer.extend({ type: z.string(), detail: z.string().min(1) });
const rpcErrorAnswer = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.null(),
  error: z.object({ code: z.int(), message: z.string().min(1), data: z.object({ code: z.string() }) }),
});
const STYLED = { detailed: detailedErrorAnswer, oauth: oauthErrorAnswer };
const namelessAnswer = errorAnswer.omit({ code: true });
const keylessAnswer = namelessAnswer.extend({
  reason: z.enum(['requests', 'credits']),
  retry_after_seconds: z.int().min(1),
});
const routes = new Map<string, Route>(
  Object.values<Route>(ROUTES).flatMap((route) =>
    [route.path, route.formerly].flatMap((path) => (path ? [[`${route.method} ${path}`, route] as const] : [])),
  ),
);

const isChecked = new AsyncLocalStorage<boolean>();
/** Loaded by `--import`, before the program. */
const isWholeProcess = process.execArgv.includes(import.meta.filename);

export const withAnswerChecks = <T>(start: () => T): T => isChecked.run(true, start);

subscribe('fastify.initialization', (message) => {
  if (!isWholeProcess && !isChecked.getStore()) return;
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook('onSend', async (request, reply, payload) => {
    const fault = findFault(request, reply, payload);
    if (fault === undefined) return payload;
    const { method, url } = request;
    const error = `The answer to ${method} ${url} (${reply.statusCode}) does not fit its contract: ${fault}`;
    process.stderr.write(`${error}\n`);
    reply.code(500).removeHeader('content-length').type('application/json; charset=utf-8');
    return JSON.stringify({ success: false, code: 'ANSWER_MISMATCH', error });
  });
});

/** What is wrong with an answer; undefined if it matches, or if no schema describes it. */
function findFault(request: FastifyRequest, reply: FastifyReply, payload: unknown): string | undefined {
  const type = String(reply.getHeader('content-type') ?? '');
  const isText = typeof payload === 'string' || payload instanceof Uint8Array;
  if (!type.startsWith('application/json') || !isText || payload.length === 0) return undefined;
  // Errors on the wires of other programs have no schema of ours.
  if (request.routeOptions.config?.writeFailure) return undefined;
  const body: unknown = JSON.parse(Buffer.from(payload).toString());
  const route = routes.get(`${request.method} ${request.routeOptions.url}`);
  const isNameless = reply.statusCode === 400 && route?.invalidRequest !== undefined && !('code' in (body as object));
  const errorSchema = route?.errorStyle ? STYLED[route.errorStyle] : isNameless ? namelessAnswer : errorAnswer;
  if (request.routeOptions.config?.errorStyle === 'jsonrpc') return compare(rpcErrorAnswer, body);
  if (reply.statusCode === 429 && 'reason' in (body as object)) return compare(keylessAnswer, body);
  if (reply.statusCode >= 400) return compare(errorSchema, body) ?? (route && undescribed(route, body));
  return route && compare(route.response, body);
}

/** The OpenAPI file lists the errors of each route, so it has to know this one. */
function undescribed(route: Route, body: unknown): string | undefined {
  const { code = route.errorStyle === 'oauth' ? named(body) : undefined } = body as { code?: ErrorCode };
  const isListed = code === undefined || routeErrors(route).includes(code);
  return isListed ? undefined : `its route does not list ${code} among its errors`;
}

/** In the style of OAuth, codes that it does not know are replaced by general ones. */
const named = (body: unknown): ErrorCode | undefined => {
  const { error } = body as { error: ErrorCode | 'server_error' };
  return error === 'server_error' || error === 'invalid_request' ? undefined : error;
};

function compare(schema: z.ZodType, body: unknown): string | undefined {
  const { success, data, error } = schema.safeParse(body);
  if (!success) return z.prettifyError(error);
  // Schemas drop unknown keys.
  return isDeepStrictEqual(data, body) ? undefined : `it has undeclared keys: ${undeclared(data, body, '').join(', ')}`;
}

function undeclared(known: unknown, sent: unknown, path: string): string[] {
  if (typeof sent !== 'object' || sent === null) return known === sent ? [] : [path];
  return Object.entries(sent).flatMap(([key, value]) => {
    const at = path === '' ? key : `${path}.${key}`;
    const hasKey = typeof known === 'object' && known !== null && key in known;
    return hasKey ? undeclared((known as Record<string, unknown>)[key], value, at) : [at];
  });
}

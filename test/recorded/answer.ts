// What is recorded of an answer, and the bad request that a route gets unless calls.ts has one for it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Route } from '../../src/contracts/routes.ts';
import { dereference } from '../support/dereference.ts';
import type { RecordedCall } from './calls.ts';
import { shapeOf } from './normalise.ts';
import type { Answered, Body, RecordedScene, Sent } from './scene.ts';

interface Described {
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: { properties?: object } }> };
}
const description = JSON.parse(readFileSync(join(import.meta.dirname, '../../docs/openapi.json'), 'utf8'));
const { paths } = dereference<{ paths: Record<string, Record<string, Described>> }>(description);

/** Told only where they are different. */
const USUAL: Record<string, string> = {
  'access-control-allow-origin': '*',
  'content-type': 'application/json; charset=utf-8',
};
/** Those that say something about the answer. The others are the same for all answers, or belong to the connection. */
const HEADERS = [
  ...['access-control-allow-headers', 'access-control-allow-methods', 'access-control-allow-origin'],
  ...['allow', 'cache-control', 'content-disposition', 'content-security-policy', 'content-type', 'deprecation'],
  ...['link', 'location', 'retry-after', 'set-cookie', 'warning', 'www-authenticate'],
  ...['x-ratelimit-limit', 'x-ratelimit-remaining'],
];

export function answerOf(scene: RecordedScene, { status, headers, body }: Answered, shows?: RecordedCall['shows']) {
  const told = HEADERS.flatMap((name) => {
    const value = headers.get(name) ?? (USUAL[name] && '<absent>');
    return value === undefined || value === USUAL[name] ? [] : [[name, name === 'retry-after' ? '<seconds>' : value]];
  });
  const shown =
    shows === 'nothing' ? '<not recorded>' : shows === 'shape' ? shapeOf(body) : scene.normalise(inShort(body));
  const isObject = typeof shown === 'object' && shown !== null && !Array.isArray(shown);
  return {
    HTTP: status,
    ...(told.length > 0 && { 'HTTP headers': scene.normalise(Object.fromEntries(told)) }),
    ...(isObject ? shown : shown !== '' && { body: shown }),
  };
}

/** Each problem of a request in one line: its code, its path and its text. */
function inShort(body: Body): unknown {
  if (!Array.isArray(body?.details)) return body;
  const told = body.details.map(({ code, path, message }: Body) => `${code} at ${path.join('.')}: ${message}`);
  return { ...body, details: told };
}

/** No field takes it, except for texts of a query string. */
const WRONG = -1.5;

/** Every field is wrong; without fields, the ID is unknown; without any, the key is missing, or the method wrong. */
export function badRequest(route: Route): Sent {
  const { parameters = [], requestBody } =
    paths[route.path.replaceAll(/:(\w+)/g, '{$1}')]![route.method.toLowerCase()]!;
  const fields = Object.keys(requestBody?.content['application/json']?.schema.properties ?? {});
  const queried = parameters.filter((each) => each.in === 'query').map(({ name }) => name);
  const wrong = <T>(names: string[], value: T) => Object.fromEntries(names.map((name) => [name, value]));
  if (requestBody) return { body: wrong(fields, WRONG) };
  if (queried.length > 0) return { query: wrong(queried, String(WRONG)) };
  if (route.path.includes(':')) return {};
  if (!route.open) return { key: false };
  return { method: route.method === 'GET' ? 'PATCH' : 'GET', key: false };
}

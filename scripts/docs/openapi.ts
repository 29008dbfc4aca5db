// Generates the OpenAPI 3.1 description from the route table and the contracts.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ROUTES, type Route } from '../../src/contracts/routes.ts';
import { contractNames } from './contract-names.ts';
import { ERROR_RESPONSES, ERROR_SCHEMAS, errorResponses } from './error-responses.ts';
import { type Json, schemaOf } from './json-schema.ts';
import { type Body, shareSchemas } from './share-schemas.ts';

const { description } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

/** The version of the interface, not of the program: it is the prefix of every path. */
const INTERFACE_VERSION = 'v2';

export async function buildOpenApi(): Promise<Json> {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const [id, route] of Object.entries(ROUTES) as [string, Route][]) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(id, route) };
  }
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const shared = shareSchemas(operations.flatMap(bodiesOf), await contractNames(), Object.keys(ERROR_SCHEMAS));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Trawl',
      version: INTERFACE_VERSION,
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: 'http://127.0.0.1:3002' }],
    security: [{ key: [] }],
    paths,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'An API key: fc-...' } },
      parameters: { IdempotencyKey: IDEMPOTENCY_KEY },
      responses: ERROR_RESPONSES,
      schemas: { ...ERROR_SCHEMAS, ...shared },
    },
  };
}

type Content = Record<string, { schema: Json }>;

interface Operation {
  operationId: string;
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content; description?: string }>;
  [field: string]: unknown;
}

/** The schemas of an operation that may be shared with others. */
function bodiesOf({ operationId, requestBody, responses }: Operation): Body[] {
  const of = (content: Content = {}, kind: Body['kind']) =>
    Object.entries(content).map(([type, media]): Body => {
      return { operationId, kind: type === FORM ? 'Form' : kind, media };
    });
  return [...of(requestBody?.content, 'Request'), ...of(responses[200]!.content, 'Response')];
}

const FORM = 'multipart/form-data';

const WATCH =
  'With `Upgrade: websocket` the same path is a stream of messages `{type, data}`: a `catchup` (the status), a `document` ' +
  'for each page, and at the end `done`, or another `catchup` if the job failed or was cancelled. ' +
  'The key is the `Authorization` header or the subprotocol.';

function operation(id: string, route: Route): Operation {
  const parameters = [
    ...pathParameters(route),
    ...queryParameters(route),
    ...(route.idempotent ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ];
  return {
    operationId: route.operationId ?? id,
    summary: route.summary,
    ...(route.watch && { description: WATCH }),
    ...(route.deprecated && { deprecated: true, description: route.deprecated.notice }),
    ...(route.open && !route.operator && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...bodyOf(route),
    responses: {
      ...(route.watch && { 101: { description: 'The socket is open' } }),
      200: { description: 'Success', content: contentOf(route) },
      ...errorResponses(route),
    },
  };
}

function bodyOf({ request, upload }: Route): { requestBody?: { required: true; content: Content } } {
  const content = {
    ...(upload === 'raw' && { '*/*': { schema: BINARY } }),
    ...(upload === 'form' && request && { [FORM]: formOf(request) }),
    ...(request && json(schemaOf(request, 'input'))),
  };
  return Object.keys(content).length > 0 ? { requestBody: { required: true, content } } : {};
}

const BINARY: Json = { type: 'string', format: 'binary' };

/** The parts of a form, without the fields that describe the file in JSON. */
function formOf(request: z.ZodType): Content[string] & Json {
  const schema = schemaOf(request, 'input');
  const { uploadRef: _, ...properties } = schema.properties as Json;
  return {
    schema: {
      type: 'object',
      required: ['file'],
      properties: { file: BINARY, options: { ...schema, properties } },
    },
    encoding: { options: { contentType: 'application/json' } },
  };
}

const IDEMPOTENCY_KEY: Json = {
  name: 'x-idempotency-key',
  in: 'header',
  required: false,
  description:
    'Any text of 1 to 256 characters. A second request of the team with the same key within 24 hours answers 409.',
  schema: { type: 'string', minLength: 1, maxLength: 256 },
};

const pathParameters = ({ path }: Route): Json[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', ...(name === 'id' && { format: 'uuid' }) },
  }));

function queryParameters({ query }: Route): Json[] {
  if (!query) return [];
  const { properties, required = [] } = z.toJSONSchema(query, { io: 'input' });
  return Object.entries(properties ?? {}).map(([name, property]) => {
    const { description, ...schema } = property as Json;
    return { name, in: 'query', required: required.includes(name), description, schema };
  });
}

const json = (schema: Json): Content => ({ 'application/json': { schema } });

const contentOf = ({ response, contentType = 'application/json' }: Route): Content => {
  const schema = schemaOf(response, 'output');
  if (typeof contentType === 'string') return { [contentType]: { schema } };
  return Object.fromEntries(
    contentType.map((type) => [type, { schema: /json;/.test(type) ? schema : fileSchema(type) }]),
  );
};

/** Schema of a content type that a request can choose instead of JSON. */
const fileSchema = (type: string): Json => (/charset/.test(type) ? { type: 'string' } : BINARY);

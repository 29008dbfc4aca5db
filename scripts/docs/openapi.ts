// Generates the OpenAPI 3.1 description from the route table and the contracts.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ERROR_TABLE, type ErrorCode } from '../../src/contracts/errors/errors.ts';
import { routeErrors } from '../../src/contracts/errors/route-errors.ts';
import { ROUTES, type Route } from '../../src/contracts/routes.ts';

type Json = Record<string, unknown>;

const { description } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

/** The version of the interface, not of the program: it is the prefix of every path. */
const INTERFACE_VERSION = 'v2';

export function buildOpenApi(): Json {
  const paths: Record<string, Json> = {};
  for (const [id, route] of Object.entries(ROUTES) as [string, Route][]) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(id, route) };
  }
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
      schemas: { Error: errorSchema(), DetailedError: detailedErrorSchema(), OAuthError: OAUTH_ERROR },
    },
  };
}

const WATCH =
  'With `Upgrade: websocket` the same path is a stream of messages `{type, data}`: a `catchup` (the status), a `document` ' +
  'for each page, and at the end `done`, or another `catchup` if the job failed or was cancelled. ' +
  'The key is the `Authorization` header or the subprotocol.';

function operation(id: string, route: Route): Json {
  const parameters = [
    ...pathParameters(route),
    ...queryParameters(route),
    ...(route.idempotent ? [IDEMPOTENCY_KEY] : []),
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

function bodyOf({ request, upload }: Route): Json {
  const content = {
    ...(upload === 'raw' && { '*/*': { schema: BINARY } }),
    ...(upload === 'form' && request && { 'multipart/form-data': formOf(request) }),
    ...(request && json(schemaOf(request, 'input'))),
  };
  return Object.keys(content).length > 0 ? { requestBody: { required: true, content } } : {};
}

const BINARY: Json = { type: 'string', format: 'binary' };

/** The parts of a form, without the fields that describe the file in JSON. */
function formOf(request: z.ZodType): Json {
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

const json = (schema: Json): Json => ({ 'application/json': { schema } });

const contentOf = ({ response, contentType = 'application/json' }: Route): Json => {
  const schema = schemaOf(response, 'output');
  if (typeof contentType === 'string') return { [contentType]: { schema } };
  return Object.fromEntries(
    contentType.map((type) => [type, { schema: /json;/.test(type) ? schema : fileSchema(type) }]),
  );
};

/** Schema of a content type that a request can choose instead of JSON. */
const fileSchema = (type: string): Json => (/charset/.test(type) ? { type: 'string' } : BINARY);

/** Zod leaves out the default of a field whose value is converted. The contract states it as it would be sent. */
function writeDefault({ jsonSchema }: { jsonSchema: Json }): void {
  if (!('whenAbsent' in jsonSchema)) return;
  jsonSchema.default = jsonSchema.whenAbsent;
  delete jsonSchema.whenAbsent;
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: writeDefault });
  return rest;
}

const hasCode = (code: string): boolean => !ERROR_TABLE[code as ErrorCode].withoutCode;

const ERROR_SCHEMAS = { plain: 'Error', detailed: 'DetailedError', oauth: 'OAuthError' };

/** One response per status, with the codes that it can have. */
function errorResponses(route: Route): Json {
  const byStatus = Map.groupBy(routeErrors(route), (code) => ERROR_TABLE[code].status);
  const name = ERROR_SCHEMAS[route.errorStyle ?? 'plain'];
  const content = json({ $ref: `#/components/schemas/${name}` });
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [status, { description: codes.filter(hasCode).join(', '), content }]),
  );
}

const errorSchema = (): Json => ({
  type: 'object',
  required: ['success', 'error'],
  properties: {
    success: { type: 'boolean', const: false },
    code: {
      type: 'string',
      enum: Object.keys(ERROR_TABLE).filter(hasCode),
      description: 'Absent for an invalid search request, and when what can be used without a key is used up.',
    },
    error: { type: 'string', description: 'What went wrong, and what to do about it.' },
    details: { description: 'The fields that are wrong, each with its path, or facts about the failure.' },
    runId: { type: 'string', description: 'The run of the thread that has not ended.' },
    reason: { enum: ['requests', 'credits'], description: 'What is used up for today, without a key.' },
    retry_after_seconds: { type: 'integer', description: 'Until there is more without a key.' },
    checkId: { type: 'string', description: 'The check of the monitor that has not ended.' },
    feedbackErrorCode: { type: 'string', description: 'The code, of the calls that take ratings.' },
  },
});

/** Error answer of the calls by which agents get a key. */
const OAUTH_ERROR: Json = {
  type: 'object',
  required: ['error', 'error_description', 'message'],
  properties: {
    error: { type: 'string', description: 'The code.' },
    error_description: { type: 'string', description: 'What went wrong, and what to do about it.' },
    message: { type: 'string', description: 'The same as `error_description`.' },
  },
};

/** The clients of the research calls read these fields. */
const detailedErrorSchema = (): Json => ({
  allOf: [
    { $ref: '#/components/schemas/Error' },
    {
      type: 'object',
      required: ['type', 'detail'],
      properties: {
        type: { type: 'string', description: 'The same as `code`.' },
        detail: { type: 'string', description: 'The same as `error`.' },
      },
    },
  ],
});

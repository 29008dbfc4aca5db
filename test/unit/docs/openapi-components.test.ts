// The components of the OpenAPI description: what refers to them says what the contracts say, and people can read their names.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { z } from 'zod';
import { ERROR_TABLE, sentCode } from '../../../src/contracts/errors/errors.ts';
import { routeErrors } from '../../../src/contracts/errors/route-errors.ts';
import { ROUTES, type Route } from '../../../src/contracts/routes.ts';
import { dereference } from '../../support/dereference.ts';

type Json = Record<string, unknown>;
type Content = Record<string, { schema: Json }>;

interface Operation {
  parameters?: { name: string; in: string; required: boolean; description?: string; schema: Json }[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content: Content }>;
}

interface Components {
  schemas: Record<string, Json>;
  responses: Json;
  parameters: Json;
}

const text = readFileSync(join(import.meta.dirname, '../../../docs/openapi.json'), 'utf8');
const file: { components: Components } = JSON.parse(text);
const { paths, components } = dereference<{
  paths: Record<string, Record<string, Operation>>;
  components: Components;
}>(file);

function fromContract(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      const { whenAbsent } = jsonSchema as Json;
      delete (jsonSchema as Json).whenAbsent;
      if (whenAbsent !== undefined) jsonSchema.default = whenAbsent as never;
    },
  });
  return rest;
}

const ERROR_SCHEMAS = { plain: 'Error', detailed: 'DetailedError', oauth: 'OAuthError' };

describe('without references, each operation says what its contract says', () => {
  for (const [id, route] of Object.entries<Route>(ROUTES)) {
    const operation = paths[route.path.replaceAll(/:(\w+)/g, '{$1}')]![route.method.toLowerCase()]!;
    test(id, () => {
      checkRequest(route, operation);
      checkParameters(route, operation);
      checkAnswer(route, operation);
      checkErrors(route, operation);
    });
  }
});

function checkRequest({ request, upload }: Route, { requestBody }: Operation): void {
  const content = requestBody?.content ?? {};
  assert.equal(requestBody !== undefined, request !== undefined || upload !== undefined);
  if (!request) assert.deepEqual(Object.keys(content), upload ? ['*/*'] : []);
  if (!request) return;
  const expected = fromContract(request, 'input');
  assert.deepEqual(content['application/json']!.schema, expected);
  if (upload !== 'form') return;
  const { options, file: part } = content['multipart/form-data']!.schema.properties as Record<string, Json>;
  const { uploadRef: _, ...properties } = expected.properties as Json;
  assert.deepEqual(options, { ...expected, properties });
  assert.deepEqual(part, { type: 'string', format: 'binary' });
}

function checkParameters({ query, path, idempotent }: Route, { parameters = [] }: Operation): void {
  const { properties = {}, required = [] } = (query ? fromContract(query, 'input') : {}) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  const expected = Object.entries(properties).map(([name, { description, ...schema }]) => {
    const said = description === undefined ? {} : { description };
    return { name, in: 'query', required: required.includes(name), ...said, schema };
  });
  assert.deepEqual(
    parameters.filter((each) => each.in === 'query'),
    expected,
  );
  const namesIn = (place: string) => parameters.filter((each) => each.in === place).map(({ name }) => name);
  assert.deepEqual(
    namesIn('path'),
    [...path.matchAll(/:(\w+)/g)].map(([, name]) => name),
  );
  assert.deepEqual(namesIn('header'), idempotent ? ['x-idempotency-key'] : []);
}

function checkAnswer({ response, contentType = 'application/json' }: Route, { responses }: Operation): void {
  const { content } = responses[200]!;
  assert.deepEqual(Object.keys(content), [contentType].flat());
  const [described] =
    Object.entries(content).find(([type]) => typeof contentType === 'string' || /json;/.test(type)) ?? [];
  // A web archive is nothing that a schema could describe.
  const isBinary = [contentType].flat().every((type) => /wacz|warc/.test(type));
  if (isBinary) return;
  assert.ok(described);
  assert.deepEqual(content[described]!.schema, fromContract(response, 'output'));
}

function checkErrors(route: Route, { responses }: Operation): void {
  const statuses = new Set(routeErrors(route).map((code) => ERROR_TABLE[code].status));
  const failed = Object.entries(responses).filter(([status]) => Number(status) >= 400);
  assert.deepEqual(failed.map(([status]) => Number(status)).sort(), [...statuses].sort());
  const schema = components.schemas[ERROR_SCHEMAS[route.errorStyle ?? 'plain']];
  for (const [status, { description, content }] of failed) {
    const codes = routeErrors(route).filter((code) => ERROR_TABLE[code].status === Number(status));
    const listed = new Set(codes.flatMap((code) => sentCode(code) ?? []));
    assert.equal(description, [...listed].join(', '));
    assert.deepEqual(content, { 'application/json': { schema } });
  }
}

test('components have names that people would give, and something refers to each of them', () => {
  const { schemas, responses, parameters } = file.components;
  for (const [kind, group] of Object.entries({ schemas, responses, parameters })) {
    for (const name of Object.keys(group)) {
      assert.match(name, /^(?:[A-Z][a-z0-9]*|API|PII|OAuth)+$/);
      assert.ok(text.includes(`"#/components/${kind}/${name}"`), `${kind}/${name}`);
    }
  }
  for (const name of [
    'ScrapeRequest',
    'ScrapeResponse',
    'Document',
    'CrawlRequest',
    'SearchResponse',
    'Format',
    'Webhook',
  ]) {
    assert.ok(name in schemas, name);
  }
});

test('a request, an answer and an error refer to components', () => {
  const { post } = (file as unknown as { paths: Record<string, Record<string, Json>> }).paths['/v2/scrape']!;
  const { requestBody, responses } = post as { requestBody: { content: Content }; responses: Record<string, Json> };
  assert.deepEqual(requestBody.content, {
    'application/json': { schema: { $ref: '#/components/schemas/ScrapeRequest' } },
  });
  assert.deepEqual(responses[401], { $ref: '#/components/responses/Unauthorized', description: 'UNAUTHORIZED' });
});

// The tables of the specification, line by line: over HTTP (what is accepted and refused), and in the OpenAPI file.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { buildOpenApi } from '../../scripts/docs/openapi.ts';
import { dereference } from '../support/dereference.ts';
import { useService } from '../support/use-service.ts';
import { METADATA_FIELDS, RESULT_FIELDS, STATUSES } from './answer.ts';
import type { Rule } from './rule.ts';
import { ACTIONS, FORMATS, SCRAPE_OPTIONS } from './scrape-options.ts';
import { SEARCH_REQUEST, THREAT_PROTECTION } from './search-request.ts';

interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

interface Operation {
  operationId: string;
  requestBody: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { description: string; content: Record<string, { schema: Schema }> }>;
}

const TABLES: Record<string, Rule[]> = {
  '2.1 search request': SEARCH_REQUEST,
  '2.5 scrape options': SCRAPE_OPTIONS,
  '2.6 formats': FORMATS,
  '2.7 threat protection': THREAT_PROTECTION,
  '2.9 actions': ACTIONS,
};

const scene = useService();
const description = dereference<{
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: { Error: Schema } };
}>(await buildOpenApi());
const search = description.paths['/v2/search']!.post!;

/** Sends a search with one field set, and returns the paths of the fields that were refused. */
async function refusedFields({ field, beside = {} }: Rule, value: unknown): Promise<string[]> {
  // Nothing to look for: a request that is accepted ends at once.
  const body = setField({ query: '!', ...structuredClone(beside) }, field.split('.'), value);
  const response = await scene.service.fetch('/v2/search', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { details?: { code: string; path: (string | number)[] }[] };
  if (response.status !== 400) return [];
  // What a server or version cannot do is refused as well, but not because it is wrong.
  const wrong = (answer.details ?? []).filter(({ code }) => code !== 'unsupported');
  return wrong.map(({ path }) => path.join('.'));
}

function setField(body: Record<string, unknown>, [name, ...rest]: string[], value: unknown): Record<string, unknown> {
  const inner = (body[name!] ?? {}) as Record<string, unknown>;
  return { ...body, [name!]: rest.length > 0 ? setField(inner, rest, value) : value };
}

const describedField = (field: string): Schema | undefined =>
  field
    .split('.')
    .reduce<Schema | undefined>(
      (schema, name) => schema?.properties?.[name],
      search.requestBody.content['application/json']!.schema,
    );

for (const [title, rules] of Object.entries(TABLES)) {
  describe(title, () => {
    for (const rule of rules) {
      test(`${rule.field} ${JSON.stringify(rule.accepts).slice(0, 60)}`, async () => {
        for (const value of rule.accepts) {
          assert.deepEqual(await refusedFields(rule, value), [], `accepts ${JSON.stringify(value).slice(0, 100)}`);
        }
        for (const value of rule.refuses ?? []) {
          const refused = await refusedFields(rule, value);
          const isNamed = refused.some((path) => `${path}.`.startsWith(`${rule.field}.`));
          assert.ok(isNamed, `refuses ${JSON.stringify(value)?.slice(0, 100)}, named: ${refused}`);
        }
        if (rule.schema) assert.partialDeepStrictEqual(describedField(rule.field), rule.schema);
      });
    }
  });
}

describe('the OpenAPI file', () => {
  test('has the version and the operation id of the specification', () => {
    assert.equal(description.info.version, 'v2');
    assert.equal(search.operationId, 'searchAndScrape');
  });

  test('describes every field of a result, and which ones may be null', () => {
    const { data } = search.responses[200]!.content['application/json']!.schema.properties!;
    for (const [name, fields] of Object.entries(RESULT_FIELDS)) {
      const { properties } = data!.properties![name]!.items!;
      const described = Object.fromEntries(Object.keys(fields).map((field) => [field, typeName(properties?.[field])]));
      assert.deepEqual(described, fields, name);
    }
    const { metadata } = data!.properties!.web!.items!.properties!;
    const described = Object.keys(METADATA_FIELDS).map((field) => [field, typeName(metadata?.properties?.[field])]);
    assert.deepEqual(Object.fromEntries(described), METADATA_FIELDS);
  });

  test('names every status with its body', () => {
    for (const [status, code] of Object.entries(STATUSES)) {
      const { description: codes, content } = search.responses[status] ?? {};
      assert.ok(codes?.split(', ').includes(code), `${status} ${code}`);
      assert.deepEqual(content, { 'application/json': { schema: description.components.schemas.Error } });
    }
    const { properties } = description.components.schemas.Error;
    const ofTheSpecification = ['code', 'details', 'error', 'success'];
    // What is in the way of a new run, why a caller without a key is refused, and what clients of ratings read.
    const further = ['checkId', 'runId', 'reason', 'retry_after_seconds', 'feedbackErrorCode'];
    assert.deepEqual(Object.keys(properties!).sort(), [...ofTheSpecification, ...further].sort());
  });

  test('names the address at which it was fetched', async () => {
    const served = await scene.service.fetch('/v2/openapi.json');
    const { servers } = (await served.json()) as { servers: { url: string }[] };
    assert.deepEqual(servers, [{ url: new URL(served.url).origin }]);
  });
});

function typeName({ type, anyOf }: Schema = {}): string | undefined {
  if (type !== undefined) return [type].flat().join(' or ');
  const names = anyOf?.map((one) => typeName(one)) ?? [];
  return names.includes('null') ? names.join(' or ') : names[0];
}

// How the OpenAPI description covers parameters and watchers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildOpenApi } from '../../../scripts/docs/openapi.ts';
import { dereference } from '../../support/dereference.ts';

interface Described {
  parameters?: { name: string; in: string; required: boolean; description?: string; schema: object }[];
  description?: string;
  responses: Record<string, unknown>;
}

const { paths } = dereference<{ paths: Record<string, Record<string, Described>> }>(await buildOpenApi());

test('path and query parameters are described', () => {
  const { parameters = [] } = paths['/v2/crawl/{id}']!.get!;
  assert.deepEqual(
    parameters.map(({ name, in: location, required }) => [name, location, required]),
    [
      ['id', 'path', true],
      ['skip', 'query', false],
      ['limit', 'query', false],
    ],
  );
  assert.match(parameters[2]!.description!, /Number of documents/);
  assert.deepEqual(parameters[2]!.schema, { type: 'string', maxLength: 256 });
  assert.equal(paths['/v2/map']!.post!.parameters, undefined);
});

test('routes that start a job take an idempotency key', () => {
  for (const path of ['/v2/crawl', '/v2/batch/scrape']) {
    const [key, ...others] = paths[path]!.post!.parameters!;
    assert.deepEqual([key!.name, key!.in, key!.required, others], ['x-idempotency-key', 'header', false, []]);
  }
});

test('exactly the paths that can be watched say so', () => {
  const watched = Object.entries(paths).filter(([, methods]) =>
    Object.values(methods).some(({ responses }) => '101' in responses),
  );
  assert.deepEqual(watched.map(([path]) => path).sort(), ['/v2/batch/scrape/{id}', '/v2/crawl/{id}']);
  for (const [, { get }] of watched) assert.match(get!.description!, /Upgrade: websocket/);
});

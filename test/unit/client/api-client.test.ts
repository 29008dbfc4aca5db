// What a client makes of IDs that callers write, and of answers that a service would not give.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApiClient } from '../../../src/client/api-client.ts';

function clientOf(text: string) {
  const paths: string[] = [];
  const api = createApiClient({
    origin: 'test',
    async send({ path }) {
      paths.push(path);
      const body = (async function* () {
        yield Buffer.from(text);
      })();
      return { status: 200, headers: {}, body };
    },
  });
  return { api, paths };
}

test('an ID stays one part of the path, whatever it is', async () => {
  const { api, paths } = clientOf('{}');
  await api.call('crawlErrors', { params: { id: '../../a?b#c' } });
  assert.deepEqual(paths, ['/v2/crawl/..%2F..%2Fa%3Fb%23c/errors']);
  for (const id of ['.', '..']) {
    await assert.rejects(api.call('crawlErrors', { params: { id } }), { name: 'ApiError', code: 'BAD_REQUEST' });
  }
  assert.equal(paths.length, 1, 'nothing else was sent');
});

test('a web page is not taken for the answer of a service', async () => {
  const { api } = clientOf('<!doctype html><title>Another server</title>');
  await assert.rejects(api.call('activeCrawls'), { name: 'ApiError', code: 'UNREACHABLE', message: /not JSON/ });
});

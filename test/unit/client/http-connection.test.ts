// Requests over HTTP: a service that is away, and one that goes away in the middle of its answer.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createApiClient } from '../../../src/client/api-client.ts';
import { connectOverHttp } from '../../../src/client/http-connection.ts';

test('an answer that breaks off is an UNREACHABLE service, and so is one that does not listen', async (t) => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('{"success": true', () => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const connection = connectOverHttp(`${url}/`);
  t.after(() => connection.close());
  const api = createApiClient({ send: connection.send, origin: 'test' });

  await assert.rejects(api.call('activeCrawls'), { name: 'ApiError', code: 'UNREACHABLE', message: /broke off/ });

  await new Promise((resolve) => server.close(resolve));
  await assert.rejects(api.call('activeCrawls'), {
    name: 'ApiError',
    code: 'UNREACHABLE',
    message: /cannot be reached/,
  });
});

test('a call that is aborted throws the reason of its signal, also while its answer is read', async (t) => {
  const stop = new AbortController();
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('{', () => setImmediate(() => stop.abort(new Error('Ctrl-C'))));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connection = connectOverHttp(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  t.after(async () => {
    server.closeAllConnections();
    await connection.close();
    await new Promise((resolve) => server.close(resolve));
  });
  const api = createApiClient({ send: connection.send, origin: 'test' });
  await assert.rejects(api.call('activeCrawls', { signal: stop.signal }), /Ctrl-C/);
});

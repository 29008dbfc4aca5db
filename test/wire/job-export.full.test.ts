// Exports that nobody reads to their end.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { BATCH, runBatch, until } from '../support/jobs.ts';
import { useOwnService } from '../support/use-service.ts';

const scene = useOwnService();

test('a reader that leaves, and one that never reads, keep nothing: the service stops in time', async () => {
  const urls = Array.from({ length: 60 }, (_, number) => scene.web.url('load.test', `/article/${number}`));
  const request = { urls, formats: ['markdown', 'html', 'rawHtml'] };
  const { id, documents } = await runBatch(scene.service, request);
  // More than the buffers of both ends of a connection hold.
  assert.ok(JSON.stringify(documents).length > 6_000_000);
  const begin = async () => {
    const { hostname, port } = new URL(scene.service.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    const authorization = `Authorization: Bearer ${scene.service.key}`;
    socket.write(`GET ${BATCH}/${id}/export HTTP/1.1\r\nHost: ${hostname}:${port}\r\n${authorization}\r\n\r\n`);
    await new Promise((resolve) => socket.once('readable', resolve));
    return socket;
  };
  const leaving = await begin();
  leaving.destroy();
  const metrics = async () => (await scene.service.fetch('/metrics')).text();
  // If several processes share a database, a label says which one it was.
  const left = /^trawl_requests_total\{operation="exportBatch",status="aborted"[^}]*\} 1$/m;
  await until(metrics, (text) => left.test(text));
  const sleeping = await begin();
  assert.equal(await scene.service.stop(), 0);
  sleeping.destroy();
  assert.equal(scene.service.output().stderr, '');
});

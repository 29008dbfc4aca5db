import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { openEgress, serve } from '../local.ts';
import { ask, closeOf, head, openClient } from './client.ts';

const basic = { proxyClass: 'basic' } as const;
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

test('an entrance needs no pass but applies the rules', async (t) => {
  const port = await serve(t, (_request, response) => void response.end('inside'));
  const proxy = await openEgress(t).openBrowserProxy();
  const entrance = await proxy.openEntrance(basic);
  assert.notEqual(entrance.url, proxy.url);
  const get = (url: string) => ask(t, { ...proxy, ...entrance }, `GET ${url} HTTP/1.1`, 'Host: x', 'Connection: close');
  assert.match(await get(`http://127.0.0.1:${port}/`), /^HTTP\/1\.1 200 [\s\S]*inside/);
  assert.match(await get('http://10.0.0.1/'), /^HTTP\/1\.1 403 /);
  assert.match(await get('/etc/passwd'), /^HTTP\/1\.1 400 /);
});

test('closing an entrance ends its connections and leaves the others open', async (t) => {
  const port = await serve(t, (_request, response) => void response.write('begun'));
  const proxy = await openEgress(t).openBrowserProxy();
  const [entrance, other] = [await proxy.openEntrance(basic), await proxy.openEntrance(basic)];
  const request = head(`GET http://127.0.0.1:${port}/ HTTP/1.1`, 'Host: x');
  const [through, beside] = [await openClient(t, entrance, request), await openClient(t, other, request)];
  await Promise.all([through.until('begun'), beside.until('begun')]);
  await entrance.close();
  await through.end();
  assert.equal(beside.socket.destroyed, false);
  const late = connect(Number(new URL(entrance.url).port), '127.0.0.1');
  assert.match(String((await once(late, 'error'))[0]), /ECONNREFUSED/);
  await proxy.close();
  await closeOf(beside.socket);
});

test('other users of the machine are refused', {
  skip: !isRoot && 'only root can be somebody else',
}, async (t) => {
  const reached: string[] = [];
  const port = await serve(t, ({ url = '' }, response) => void response.end(`visit ${reached.push(url)}`));
  const proxy = await openEgress(t).openBrowserProxy();
  const entrance = await proxy.openEntrance(basic);
  const script = `
    const socket = require('node:net').connect(${new URL(entrance.url).port}, '127.0.0.1');
    socket.on('data', (data) => process.stdout.write(data)).write(${JSON.stringify(
      head(`GET http://127.0.0.1:${port}/ HTTP/1.1`, 'Host: x', 'Connection: close'),
    )});`;
  // Other users may be unable to read this Node binary, so the process changes its user after it has started.
  const as = async (user: number) =>
    (await promisify(execFile)(process.execPath, ['-e', `process.setuid(${user});${script}`])).stdout;
  assert.match(await as(NOBODY), /^HTTP\/1\.1 407 /);
  assert.deepEqual(reached, []);
  assert.match(await as(0), /visit 1/);
});

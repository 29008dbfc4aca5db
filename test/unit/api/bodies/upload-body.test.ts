// Request bodies that arrive slowly, never, or unauthorized.
import assert from 'node:assert/strict';
import { connect as dial, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { ServiceError } from '../../../../src/contracts/errors/errors.ts';
import type { OpenCall } from '../../../../src/operations/call.ts';
import { noise } from '../../../conformance/samples.ts';
import { KEY, startEdge } from '../edge.ts';

const FORM = 'multipart/form-data; boundary=b';
const FILE_HEAD = '--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n';
const UPLOAD = '/v2/parse/upload/01900000-0000-7000-8000-000000000001?uploadRef=r';

/** A handwritten request: sends the head and returns the socket for the rest. */
function begin(t: TestContext, port: number, line: string, headers: Record<string, string>) {
  const socket = dial(port, '127.0.0.1');
  t.after(() => socket.destroy());
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  socket.on('error', () => {});
  const head = Object.entries({ Host: `127.0.0.1:${port}`, ...headers }).map(([name, value]) => `${name}: ${value}`);
  socket.write(`${line} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const answered = new Promise<void>((resolve) => {
    const look = () => (/\r\n\r\n.*\}$/s.test(text) ? resolve() : socket.once('data', look));
    look();
  });
  return { socket, answered, closed, answer: () => text };
}

/** Sends until the other side stops accepting. */
async function pour(socket: Socket, bytes: number): Promise<number> {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  let sent = 0;
  while (sent < bytes && !socket.destroyed) {
    sent += chunk.byteLength;
    if (!socket.write(chunk)) {
      await new Promise<void>((resolve) => {
        socket.once('drain', resolve);
        socket.once('close', resolve);
      });
    }
  }
  return sent;
}

const form = (length: number, more: Record<string, string> = {}) => ({
  'Content-Type': FORM,
  'Content-Length': String(length),
  ...more,
});
const authorized = { Authorization: `Bearer ${KEY}` };

test('a caller without a valid key is refused before the file has arrived, and cannot go on sending it', async (t) => {
  const { port } = await startEdge(t, { answer: () => assert.fail('the request was accepted') });
  const { socket, answered, answer, closed } = begin(
    t,
    port,
    'POST /v2/parse',
    form(900_000, { Authorization: 'Bearer no' }),
  );
  await answered;
  assert.match(answer(), /^HTTP\/1\.1 401 .*Invalid token/s);
  await pour(socket, 100_000_000);
  await closed;
  assert.ok(socket.bytesWritten < 50_000_000, `${socket.bytesWritten} bytes were accepted`);
});

test('a refused upload that ends soon leaves the connection usable', async (t) => {
  const { port } = await startEdge(t);
  const { socket, answered, answer } = begin(t, port, 'POST /v2/parse', form(3_000_000, authorized));
  await answered;
  socket.write('x'.repeat(3_000_000));
  socket.write(`GET /v0/health/liveness HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  while (!answer().includes('200 OK')) await new Promise((resolve) => socket.once('data', resolve));
  assert.match(answer(), /400 Bad Request.*larger than.*200 OK/s);
});

test('a stalled upload is aborted, as a form and as a raw body', async (t) => {
  const { port } = await startEdge(t, {
    bodyTimes: { json: 60_000, stall: 50 },
    upload: async ({ body }) => {
      for await (const _ of body!.accept());
      return { status: 200, body: {} };
    },
  });
  const inForm = begin(t, port, 'POST /v2/parse', form(900_000, authorized));
  inForm.socket.write(`${FILE_HEAD}some of it`);
  await inForm.answered;
  assert.match(inForm.answer(), /^HTTP\/1\.1 400 .*stalled/s);

  const asBody = begin(t, port, `PUT ${UPLOAD}`, { 'Content-Length': '1000' });
  asBody.socket.write('some of it');
  await asBody.answered;
  assert.match(asBody.answer(), /^HTTP\/1\.1 400 .*stalled/s);
  for (const { socket } of [inForm, asBody]) socket.destroy();
});

test('uploads in progress end when the service stops', async (t) => {
  const { port, stopping } = await startEdge(t, {
    upload: async ({ body }) => {
      for await (const _ of body!.accept());
      return { status: 200, body: {} };
    },
  });
  const inForm = begin(t, port, 'POST /v2/parse', form(900_000, authorized));
  inForm.socket.write(`${FILE_HEAD}some of it`);
  const asBody = begin(t, port, `PUT ${UPLOAD}`, { 'Content-Length': '1000' });
  asBody.socket.write('some of it');
  // By then both are being read.
  await fetch(`http://127.0.0.1:${port}/v0/health/liveness`);
  stopping.abort(new ServiceError('SERVICE_UNAVAILABLE'));
  await Promise.all([inForm.answered, asBody.answered]);
  assert.match(inForm.answer(), /^HTTP\/1\.1 503 /);
  assert.match(asBody.answer(), /^HTTP\/1\.1 503 /);
  for (const { socket } of [inForm, asBody]) socket.destroy();
});

test('a form is abandoned when its sender disconnects', async (t) => {
  const { port, logged } = await startEdge(t, { answer: () => assert.fail('the form was incomplete') });
  const { socket, closed } = begin(t, port, 'POST /v2/parse', form(900_000, authorized));
  await new Promise<void>((resolve) => socket.write(`${FILE_HEAD}some of it`, () => resolve()));
  socket.destroy();
  await closed;
  assert.deepEqual(logged, []);
});

test('JSON bodies have less time than uploads', async (t) => {
  const { port } = await startEdge(t, { bodyTimes: { json: 50, stall: 60_000 } });
  for (const path of ['/v2/scrape', '/v2/parse']) {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': '1000', ...authorized };
    const { socket, answered, answer, closed } = begin(t, port, `POST ${path}`, headers);
    socket.write('{"url": ');
    await answered;
    assert.match(answer(), /^HTTP\/1\.1 400 /);
    await closed;
  }
});

test('a raw body of any or no content type arrives unchanged', async (t) => {
  const calls: (Pick<OpenCall<'upload'>, 'params' | 'query'> & { bytes: Buffer; length?: number })[] = [];
  const { url } = await startEdge(t, {
    upload: async ({ params, query, body }) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of body!.accept()) chunks.push(chunk);
      calls.push({ params, query, bytes: Buffer.concat(chunks), length: body!.length });
      return { status: 200, body: { success: true } };
    },
  });
  const bytes = noise(300_000);
  for (const type of ['application/json', 'multipart/form-data; boundary=b', 'application/pdf', undefined]) {
    const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
    const response = await fetch(url + UPLOAD, { method: 'PUT', headers, body: Buffer.from(bytes) });
    assert.deepEqual(await response.json(), { success: true }, type);
    const { params, query, bytes: got, length } = calls.pop()!;
    assert.deepEqual([params.id, query.uploadRef, length], ['01900000-0000-7000-8000-000000000001', 'r', 300_000]);
    assert.ok(got.equals(bytes));
  }
  assert.equal((await fetch(url + UPLOAD, { method: 'PUT' })).status, 200);
  assert.equal(calls.pop()!.bytes.byteLength, 0);
});

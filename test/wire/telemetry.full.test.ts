// A request can be followed: its id is in the answer and in every line of the log, and its spans reach a collector as one trace.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { type RunningProgram, startServiceWith } from '../support/service.ts';
import { startWeb, type Web } from '../support/web.ts';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  status: { code?: number; message?: string };
}

interface Export {
  resourceSpans: { resource: { attributes: { key: string; value: object }[] }; scopeSpans: { spans: Span[] }[] }[];
}

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';

const received: { path: string; authorization?: string; body: Export }[] = [];
const collector = createServer(async (request, response) => {
  const { url = '', headers } = request;
  received.push({ path: url, authorization: headers.authorization, body: (await json(request)) as Export });
  response.end('{}');
});
const spans = () =>
  received.flatMap(({ body }) =>
    body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((each) => each.spans)),
  );

let web: Web;
let service: RunningProgram;
before(async () => {
  web = await startWeb();
  await once(collector.listen(0, '127.0.0.1'), 'listening');
  service = await startServiceWith(web, {
    TRAWL_LOG_LEVEL: 'debug',
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector',
    TRAWL_PROCESS_NAME: 'first',
  });
});
after(async () => {
  await service?.stop();
  await web?.stop();
  collector.close();
});

const scrape = (url: string, headers: Record<string, string> = {}) =>
  service.fetch('/v2/scrape', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ url, maxAge: 0 }),
  });

const logLines = () =>
  service
    .output()
    .stderr.split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('one request, from the answer through the log to its trace', async () => {
  const answer = await scrape(web.url('news.test', '/article/1'), {
    'x-request-id': 'order-66',
    traceparent: `00-${TRACE}-${CALLER}-01`,
  });
  assert.equal(answer.status, 200, await answer.text());
  assert.equal(answer.headers.get('x-request-id'), 'order-66');

  const failed = await scrape('http://10.1.2.3/', { 'x-request-id': 'has spaces, and more' });
  assert.match(failed.headers.get('x-request-id')!, /^[0-9a-f-]{36}$/, 'an id that cannot be logged is replaced');
  await service.stop();

  const lines = logLines().filter(({ request }) => request === 'order-66');
  const stages = lines.filter(({ msg }) => msg === 'stage ended').map(({ stage }) => stage);
  assert.deepEqual(stages, ['http', 'transform']);
  assert.ok(lines.some(({ msg, status }) => msg === 'answered' && status === 200));
  assert.ok(lines.every(({ msg, trace }) => msg === 'answered' || trace === TRACE));

  assert.ok(received.every(({ path, authorization }) => path === '/v1/traces' && authorization === 'Bearer collector'));
  const resource = Object.fromEntries(
    received[0]!.body.resourceSpans[0]!.resource.attributes.map(({ key, value }) => [key, Object.values(value)[0]]),
  );
  assert.equal(resource['service.name'], 'trawl');
  assert.equal(resource['service.instance.id'], 'first');

  const trace = spans().filter(({ traceId }) => traceId === TRACE);
  const root = trace.find(({ parentSpanId }) => parentSpanId === CALLER)!;
  assert.deepEqual([root.name, root.kind, root.status], ['scrape', 2, {}]);
  for (const name of ['http', 'transform', 'scrapes.add']) {
    const span = trace.find((each) => each.name === name);
    assert.ok(span, `${name} is a span of the request, among ${trace.map((each) => each.name)}`);
    assert.ok(BigInt(span.startTimeUnixNano) <= BigInt(span.endTimeUnixNano));
  }
  const known = new Set([CALLER, ...trace.map(({ spanId }) => spanId)]);
  assert.ok(
    trace.every(({ parentSpanId }) => known.has(parentSpanId!)),
    'every span has its parent',
  );

  const other = spans().filter(({ name, traceId }) => name === 'scrape' && traceId !== TRACE);
  assert.equal(other.length, 1, 'the other request is a trace of its own');
  assert.equal(other[0]!.status.code, 2);
});

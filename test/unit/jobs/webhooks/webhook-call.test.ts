// One webhook call: its headers, its signature, and which answers count as delivered.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, type TestContext, test } from 'node:test';
import { createWebhookCall, type WebhookCallDeps } from '../../../../src/jobs/webhooks/webhook-call.ts';
import { parseProxyList } from '../../../../src/net/connections/upstream-proxies.ts';
import type { EgressSettings } from '../../../../src/net/egress.ts';
import { readReceived } from '../../../support/web/hooks.ts';
import { startWeb, type Web } from '../../../support/web.ts';
import { openEgress } from '../../net/local.ts';

let web: Web;
before(async () => {
  web = await startWeb();
});
after(() => web.stop());

const body = new TextEncoder().encode('{"success":true,"type":"crawl.page","data":[{"markdown":"Grüße 日本"}]}');
const never = new AbortController().signal;

interface Stage extends Omit<WebhookCallDeps, 'egress'> {
  net?: Partial<EgressSettings>;
}

function open(t: TestContext, { net, ...deps }: Stage = {}) {
  const egress = openEgress(t, { dnsServers: [web.dns.address], ...net });
  const call = createWebhookCall({ egress, ...deps });
  return async (url: string, headers: Record<string, string> = {}, signal = never) =>
    (await call({ url, headers, body }, signal)).failure;
}

const hook = (path: string) => web.url('hooks.test', path);

test('a call is a JSON POST with the user agent of the service', async (t) => {
  const call = open(t);
  assert.equal(await call(hook('/hook/plain')), undefined);
  const [{ method, headers, body: sent } = assert.fail()] = await readReceived(web, 'plain');
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  assert.equal(method, 'POST');
  assert.equal(sent, new TextDecoder().decode(body));
  assert.equal(headers['content-type'], 'application/json');
  assert.equal(headers['content-length'], String(body.byteLength));
  assert.equal(headers['user-agent'], `Trawl-Webhook/${version}`);
  assert.equal(headers['x-firecrawl-signature'], undefined);
});

test('with a secret, the signature is the HMAC of the bytes as sent', async (t) => {
  const call = open(t, { secret: 'a secret' });
  await call(hook('/hook/signed'));
  const [{ headers, body: sent } = assert.fail()] = await readReceived(web, 'signed');
  const expected = createHmac('sha256', 'a secret').update(sent, 'utf8').digest('hex');
  assert.equal(headers['x-firecrawl-signature'], `sha256=${expected}`);
});

test('configured headers are sent, except those reserved for the service or the connection', async (t) => {
  const configured = {
    Authorization: 'Bearer of the job',
    'user-AGENT': 'Mine/1',
    'CONTENT-type': 'text/plain',
    'x-firecrawl-SIGNATURE': 'sha256=forged',
    'Content-Length': '3',
    'Transfer-Encoding': 'chunked',
    Connection: 'close',
    Host: 'elsewhere.test',
  };
  await open(t)(hook('/hook/unsigned-headers'), configured);
  await open(t, { secret: 's' })(hook('/hook/signed-headers'), configured);
  const [unsigned = assert.fail()] = await readReceived(web, 'unsigned-headers');
  const [signed = assert.fail()] = await readReceived(web, 'signed-headers');
  for (const { headers, body: sent } of [unsigned, signed]) {
    assert.equal(headers.authorization, 'Bearer of the job');
    assert.equal(headers['user-agent'], 'Mine/1');
    assert.equal(headers['content-type'], 'application/json');
    assert.equal(headers['content-length'], String(body.byteLength));
    assert.equal(headers['transfer-encoding'], undefined);
    assert.notEqual(headers.connection, 'close');
    assert.equal(headers.host, `hooks.test:${web.port}`);
    assert.equal(sent, new TextDecoder().decode(body));
  }
  assert.equal(unsigned.headers['x-firecrawl-signature'], undefined);
  assert.match(signed.headers['x-firecrawl-signature'] as string, /^sha256=[0-9a-f]{64}$/);
});

test('webhook calls do not go through upstream proxies', async (t) => {
  const proxies = parseProxyList('http://127.0.0.1:1');
  const call = open(t, { net: { proxies: { basic: proxies, enhanced: proxies } } });
  assert.equal(await call(hook('/hook/direct')), undefined);
  assert.equal((await readReceived(web, 'direct')).length, 1);
});

test('any status except 2xx is a failure that can be retried', async (t) => {
  const call = open(t);
  const failed = { reason: 'The receiver answered with status 500.', isFinal: false };
  assert.deepEqual(await call(hook('/flaky/moody/1')), failed);
  assert.equal(await call(hook('/flaky/moody/1')), undefined);
});

test('a redirect is a failure and is not followed', async (t) => {
  const failure = await open(t)(hook('/redirect/sent-on'));
  assert.deepEqual(failure, {
    reason: 'The receiver sent a redirect (307), which webhook calls do not follow.',
    isFinal: false,
  });
  const paths = (await readReceived(web, 'sent-on')).map(({ path }) => path);
  assert.deepEqual(paths, ['/redirect/sent-on']);
});

test('a receiver that does not answer in time is a failure', async (t) => {
  const failure = await open(t, { limitMs: 50 })(hook('/slow/mute'));
  assert.deepEqual(failure, {
    reason: 'The receiver did not answer within the time limit.',
    isFinal: false,
  });
});

test('a call is delivered even if the answer never ends', async (t) => {
  const real = openEgress(t, { dnsServers: [web.dns.address] });
  const ending = new AbortController();
  const egress: WebhookCallDeps['egress'] = {
    async request(...args) {
      const answer = await real.request(...args);
      ending.abort();
      return answer;
    },
  };
  const call = createWebhookCall({ egress });
  const sent = await call({ url: hook('/endless/talker'), headers: {}, body }, ending.signal);
  assert.deepEqual(sent, { statusCode: 202 });
});

test('only the start of a long answer is read', async (t) => {
  const real = openEgress(t, { dnsServers: [web.dns.address], maxPageBytes: 100_000_000 });
  let bytes = 0;
  const egress: WebhookCallDeps['egress'] = {
    async request(...args) {
      const { body: whole, ...answer } = await real.request(...args);
      const counted = async function* () {
        for await (const chunk of whole) {
          bytes += chunk.byteLength;
          yield chunk;
        }
      };
      return { ...answer, body: { [Symbol.asyncIterator]: counted, destroy: whole.destroy } };
    },
  };
  const call = createWebhookCall({ egress });
  const sent = await call({ url: web.url('fault.test', '/huge?mb=20'), headers: {}, body }, never);
  assert.equal(sent.failure, undefined);
  assert.ok(bytes > 0 && bytes < 1_000_000, `${bytes} bytes were read`);
});

test('certificates are checked, and the reason contains no advice meant for scrapes', async (t) => {
  const failure = await open(t)(web.secureUrl('hooks.test', '/hook/untrusted'));
  assert.deepEqual(failure, { reason: 'The receiver offered no valid TLS certificate.', isFinal: false });
  assert.deepEqual(await readReceived(web, 'untrusted'), []);
});

test('a private target is a final failure, whether given as an IP address or resolved by DNS', async (t) => {
  web.dns.set('inside.test', ['10.1.2.3']);
  const call = open(t);
  for (const url of ['http://192.168.0.1/hook', 'http://inside.test/hook']) {
    const failure = await call(url);
    assert.equal(failure?.isFinal, true, url);
    assert.match(failure.reason, /TRAWL_ALLOW_NETWORKS/);
  }
});

test('a header that HTTP cannot carry is a final failure', async (t) =>
  assert.deepEqual(await open(t)(hook('/hook/odd'), { 'X-Odd': '日本' }), {
    reason: 'The header "X-Odd" cannot be sent over HTTP.',
    isFinal: true,
  }));

test('an unreachable receiver is a failure that can be retried', async (t) => {
  const gone = await startWeb();
  await gone.stop();
  const failure = await open(t)(`http://127.0.0.1:${gone.port}/hook?token=secret`);
  assert.equal(failure?.isFinal, false);
  assert.doesNotMatch(failure.reason, /secret|127/);
});

test('an invalid URL is a failure whose reason does not contain the URL', async (t) =>
  assert.deepEqual(await open(t)('no url?token=secret'), { reason: 'Unexpected TypeError.', isFinal: false }));

test('an aborted call rejects with the reason of its signal', async (t) => {
  const ending = new AbortController();
  const calling = open(t)(hook('/slow/broken-off'), {}, ending.signal);
  while ((await readReceived(web, 'broken-off')).length === 0);
  ending.abort(new Error('closing'));
  await assert.rejects(calling, /closing/);
});

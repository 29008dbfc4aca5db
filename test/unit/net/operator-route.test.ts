// Private addresses from the operator's settings are reachable by the operator's route only, and nothing else is.
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { test } from 'node:test';
import { parseAllowList } from '../../../src/net/addresses/allow-list.ts';
import { parseProxyList } from '../../../src/net/connections/upstream-proxies.ts';
import type { EgressRequest } from '../../../src/net/egress.ts';
import { startDns } from '../../support/dns.ts';
import { startProxy } from '../../support/proxy.ts';
import { get, openEgress, serve, soon, textOf } from './local.ts';

const REFUSED = { code: 'UNSUPPORTED_SITE' };
const allow = parseAllowList('');
const asOperator = (url: string): EgressRequest => ({ ...get(url), route: 'operator' });

test("a private address is reached by the operator's route and refused on every other, even while its connection is open", async (t) => {
  const port = await serve(t, (_request, response) => response.end('mine'));
  const origin = `http://127.0.0.1:${port}`;
  const egress = openEgress(t, { allow, operatorOrigins: [origin] });
  assert.equal(await textOf(await egress.request(asOperator(`${origin}/search?q=x`), soon())), 'mine');
  for (const route of ['basic', 'enhanced', 'direct'] as const) {
    await assert.rejects(egress.request(get(`${origin}/`, { route }), soon()), REFUSED, route);
  }
  assert.throws(() => egress.check(new URL(origin)), REFUSED);
});

test('only the exact scheme, host and port use the route, even if other targets are public or allowed', async (t) => {
  let reached = 0;
  const listener = (_request: unknown, response: { end(): void }) => {
    reached += 1;
    response.end();
  };
  const [port, other] = [await serve(t, listener), await serve(t, listener)];
  const egress = openEgress(t, { operatorOrigins: [`http://127.0.0.1:${port}`] });
  const others = [
    `http://127.0.0.1:${other}/`,
    `https://127.0.0.1:${port}/`,
    `http://127.0.0.2:${port}/`,
    `http://localhost:${port}/`,
    'http://example.com/',
  ];
  for (const url of others) await assert.rejects(egress.request(asOperator(url), soon()), REFUSED, url);
  assert.equal(reached, 0);
});

test('providers use their own proxies; private addresses only if the operator said so', async (t) => {
  const port = await serve(t, (_request, response) => response.end('mine'));
  const origin = `http://127.0.0.1:${port}`;
  const proxy = await startProxy({ target: () => ({ host: '127.0.0.1', port }) });
  t.after(() => proxy.stop());
  const list = parseProxyList(proxy.url);
  const asked = async (forPrivate: boolean, url: string, route: EgressRequest['route']) => {
    const operatorOrigins = [origin, 'http://searx.invalid'];
    const egress = openEgress(t, { allow, operatorOrigins, providerProxies: { list, forPrivate } });
    proxy.asked.length = 0;
    assert.equal(await textOf(await egress.request({ ...get(url), route }, soon())), 'mine', url);
    return proxy.asked.length;
  };
  assert.equal(await asked(false, 'http://provider.example/', 'provider'), 1);
  assert.equal(await asked(false, `${origin}/`, 'operator'), 0);
  assert.equal(await asked(true, `${origin}/`, 'operator'), 1);
  // The proxy may know a name that this machine does not.
  assert.equal(await asked(false, 'http://searx.invalid/', 'operator'), 1);
  await assert.rejects(openEgress(t).request(get('http://10.0.0.1/', { route: 'provider' }), soon()), REFUSED);
});

test('without configured origins the route refuses everything', async (t) => {
  const port = await serve(t, (_request, response) => response.end());
  await assert.rejects(openEgress(t).request(asOperator(`http://127.0.0.1:${port}/`), soon()), REFUSED);
});

test('names are resolved by the system and not by the name servers for targets', async (t) => {
  const port = await serve(t, (_request, response) => response.end('container'));
  const dns = await startDns({ localhost: ['10.9.9.9'] });
  t.after(() => dns.stop());
  const origin = `http://localhost:${port}`;
  const egress = openEgress(t, { allow, dnsServers: [dns.address], operatorOrigins: [origin] });
  assert.equal(await textOf(await egress.request(asOperator(`${origin}/`), soon())), 'container');
  assert.deepEqual(dns.questions, []);
});

test('a redirect is returned and never followed', async (t) => {
  const secret = await serve(t, (_request, response) => response.end('secret'));
  const port = await serve(t, (_request, response) => {
    response.writeHead(302, { location: `http://127.0.0.1:${secret}/` }).end();
  });
  const egress = openEgress(t, { allow, operatorOrigins: [`http://127.0.0.1:${port}`] });
  const answer = await egress.request(asOperator(`http://127.0.0.1:${port}/`), soon());
  assert.deepEqual([answer.status, await textOf(answer)], [302, '']);
});

test('the service itself stays refused, by its address and by its public name', async (t) => {
  const port = await serve(t, (_request, response) => response.end('self'));
  const origins = [`http://127.0.0.1:${port}`, `http://localhost:${port}`, 'https://trawl.example'];
  const egress = openEgress(t, {
    allow,
    operatorOrigins: origins,
    ownAddress: () => ({ address: '0.0.0.0', port }),
    publicUrl: 'https://trawl.example',
  });
  for (const origin of origins) await assert.rejects(egress.request(asOperator(`${origin}/`), soon()), REFUSED, origin);
});

test('a name that takes too long to resolve counts as unknown', async (t) => {
  const mute = createSocket('udp4').bind(0, '127.0.0.1');
  await once(mute, 'listening');
  t.after(() => mute.close());
  const egress = openEgress(t, { dnsServers: [`127.0.0.1:${mute.address().port}`] });
  const request = get('http://slow-name.test/', { route: 'direct', resolveMs: 50 });
  await assert.rejects(egress.request(request, soon()), { code: 'SCRAPE_DNS_RESOLUTION_ERROR' });
});

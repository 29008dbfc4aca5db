// Calls between processes, as somebody sends them who has heard one, guesses one or has only a key of the API. To all of them,
// these addresses do not exist.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { WebSocket } from 'ws';
import { createCallSignatures, PEER_HEADER, type SignedCall } from '../../src/peers/call-signature.ts';
import { PEER_TYPE } from '../../src/peers/peer-calls.ts';
import { systemClock } from '../../src/util/clock.ts';
import { canStartPostgres } from '../conformance/open-postgres.ts';
import { type Call, type ClusterStage, OPERATOR_KEY, openClusterStage, portOf, SECRET, send } from './cluster-stage.ts';

const NOT_FOUND = 404;
const OPERATION = '/peers/operations/listBrowserProcesses';
const secretOf = (text: string) => new Uint8Array(createHash('sha256').update(text).digest());

describe('calls between processes', { skip: !canStartPostgres && 'no PostgreSQL' }, () => {
  let cluster: ClusterStage;
  before(async () => {
    cluster = await openClusterStage('127.0.0.2');
  });
  after(() => cluster?.stop());

  /** A call that is signed as a process signs, with what the attacker changes. */
  const signed = (
    { secret = SECRET, ageMs = 0, ...change }: Partial<SignedCall> & { secret?: string; ageMs?: number } = {},
    { body = change.body ?? '{"caller":{}}', ...call }: Partial<Call> = {},
  ): Call => {
    const clock = { ...systemClock, now: () => systemClock.now() - ageMs };
    const signatures = createCallSignatures(secretOf(secret), cluster.ids.front, clock);
    const header = signatures.sign({ to: cluster.ids.back, method: 'POST', path: OPERATION, body, ...change });
    const headers = { 'content-type': PEER_TYPE, [PEER_HEADER]: header };
    return { method: 'POST', path: OPERATION, headers, body, ...call };
  };
  const withClaims = (call: Call, change: object): Call => {
    const [claims = '', mac] = String(call.headers[PEER_HEADER]).split('.');
    const changed = { ...JSON.parse(Buffer.from(claims, 'base64url').toString()), ...change };
    const header = `${Buffer.from(JSON.stringify(changed)).toString('base64url')}.${mac}`;
    return { ...call, headers: { ...call.headers, [PEER_HEADER]: header } };
  };

  test('control: a call that is signed for this process is answered, whoever carries it', async () => {
    assert.equal(await send(cluster.back, signed()), 200);
  });

  test('a call that somebody has heard is worth nothing', async () => {
    const heard = await cluster.capture();
    assert.equal(heard.path, OPERATION);
    const { caller } = JSON.parse(heard.body);
    const otherTeam = { ...caller, team: { ...caller.team, id: 'another', settings: { maxConcurrency: 1e9 } } };
    const ways: Record<string, Call> = {
      'as it was': heard,
      'with another body': { ...heard, body: heard.body.replace('TRAWL_API_KEY', 'TRAWL_API_KEZ') },
      'for another team with other limits': { ...heard, body: JSON.stringify({ caller: otherTeam }) },
      'without a body': { ...heard, body: '', headers: { ...heard.headers, 'content-length': '0' } },
      'at another path': { ...heard, path: '/peers/operations/endBrowserProcess' },
      'with a query': { ...heard, path: `${OPERATION}?x=1` },
      'with the whole address as its target': { ...heard, path: cluster.back.url + OPERATION },
      'with a percent-encoded path': { ...heard, path: OPERATION.replace('list', '%6cist') },
      'by another method': { ...heard, method: 'PUT' },
      'made new': withClaims(heard, { nonce: 'another', at: Date.now() }),
      'for another body': withClaims(heard, { body: createHash('sha256').update('{}').digest('hex') }),
      'from another address': withClaims(heard, { nonce: 'another', address: '127.0.0.1' }),
      'with its signature twice': {
        ...heard,
        headers: { ...heard.headers, [PEER_HEADER]: [heard.headers[PEER_HEADER] as string, 'e30.e30'] },
      },
    };
    for (const [way, call] of Object.entries(ways)) {
      const { 'content-length': _, ...headers } = call.headers;
      assert.equal(await send(cluster.back, { ...call, headers }), NOT_FOUND, way);
      assert.equal(await send(cluster.front, { ...call, headers }), NOT_FOUND, `${way}, to the process that sent it`);
    }
  });

  test('a call that was never sent is accepted once, by one process, for one address, now', async () => {
    const { ids } = cluster;
    const once = signed();
    assert.equal(await send(cluster.back, once), 200);
    const forged: Record<string, Call> = {
      'the second time': once,
      'of another installation': signed({ secret: 'the secret of another installation' }),
      'without a secret': signed({ secret: '' }),
      'of half a minute ago': signed({ ageMs: 31_000 }),
      'of the future': signed({ ageMs: -31_000 }),
      'for the other process': signed({ to: ids.front }),
      'for nobody': signed({ to: '' }),
      'for another method': signed({ method: 'GET' }),
      'for another body': signed({ body: '{}' }, { body: '{"caller":{}}' }),
      'of an operation that is not passed on': signed(
        { path: '/peers/operations/scrape' },
        { path: '/peers/operations/scrape' },
      ),
      'of what every object has': signed(
        { path: '/peers/operations/constructor' },
        { path: '/peers/operations/constructor' },
      ),
    };
    for (const [way, call] of Object.entries(forged)) assert.equal(await send(cluster.back, call), NOT_FOUND, way);
  });

  test('a key of the operator, a program of this machine and a trusted look are no signature', async () => {
    const headers = { 'content-type': PEER_TYPE, authorization: `Bearer ${OPERATOR_KEY}` };
    const ways: Record<string, Call['headers']> = {
      'the key of the operator': headers,
      'the key as a signature': { ...headers, [PEER_HEADER]: OPERATOR_KEY },
      'an empty signature': { ...headers, [PEER_HEADER]: '' },
      'a signature without its claims': { ...headers, [PEER_HEADER]: '.' },
      'a name of a process': { ...headers, [PEER_HEADER]: cluster.ids.front },
      'an address of this machine': { ...headers, 'x-forwarded-for': '127.0.0.1', host: 'localhost' },
    };
    for (const [way, sent] of Object.entries(ways)) {
      const call = { method: 'POST', path: OPERATION, headers: sent, body: '{"caller":{}}' };
      for (const service of [cluster.front, cluster.back]) assert.equal(await send(service, call), NOT_FOUND, way);
    }
  });

  test('what is not signed is not taken in: a large body is refused by its head', async () => {
    const socket = connect(portOf(cluster.back.url), '127.0.0.1').on('error', () => {});
    socket.write(
      `POST ${OPERATION} HTTP/1.1\r\nHost: x\r\nContent-Type: ${PEER_TYPE}\r\nContent-Length: 900000000\r\n\r\n{`,
    );
    const [head] = await once(socket, 'data');
    assert.match(String(head), /^HTTP\/1\.1 404 /);
    assert.match(String(head), /\r\nconnection: close\r\n/i);
    await once(socket, 'close');
  });

  test('a signed call that is too large is refused, and one that stops halfway leaves the process as it was', async () => {
    const { headers } = signed();
    const head = `POST ${OPERATION} HTTP/1.1\r\nHost: x\r\nContent-Type: ${PEER_TYPE}\r\n${PEER_HEADER}: ${headers[PEER_HEADER]}\r\n`;
    const large = connect(portOf(cluster.back.url), '127.0.0.1').on('error', () => {});
    large.write(`${head}Content-Length: 900000000\r\n\r\n{`);
    const [answer] = await once(large, 'data');
    assert.match(String(answer), /^HTTP\/1\.1 413 /);
    large.destroy();

    const half = signed();
    const socket = connect(portOf(cluster.back.url), '127.0.0.1').on('error', () => {});
    socket.end(
      `POST ${OPERATION} HTTP/1.1\r\nHost: x\r\nContent-Type: ${PEER_TYPE}\r\n${PEER_HEADER}: ${half.headers[PEER_HEADER]}\r\nContent-Length: 13\r\n\r\n{"cal`,
    );
    socket.resume();
    await once(socket, 'close');
    assert.equal(await send(cluster.back, half), NOT_FOUND, 'its signature is used');
    assert.equal(await send(cluster.back, signed()), 200);
  });

  test('a socket for pages opens once, for the request that was signed', async () => {
    const path = '/peers/pages/basic';
    const page = (change: Partial<SignedCall> & { secret?: string } = {}) =>
      signed({ method: 'GET', path, body: '{"url":"http://site.test/"}', ...change }).headers[PEER_HEADER] as string;
    /** The status of a refusal, or the code that an accepted socket was closed with. */
    const open = async (header: string | undefined, first: string, at = path) => {
      const url = cluster.back.url.replace('http', 'ws') + at;
      const socket = new WebSocket(url, { headers: header === undefined ? {} : { [PEER_HEADER]: header } });
      socket.on('error', () => {});
      return new Promise<number>((resolve) => {
        socket.on('open', () => socket.send(first));
        socket.on('close', resolve);
        socket.on('unexpected-response', (_, { statusCode = 0 }) => resolve(statusCode));
      });
    };
    const used = page();
    assert.equal(await open(used, '{"url":"http://127.0.0.1/"}'), 1008, 'another request than the signed one');
    assert.equal(await open(used, '{"url":"http://site.test/"}'), NOT_FOUND, 'the second time');
    assert.equal(await open(undefined, '{}'), NOT_FOUND, 'without a signature');
    assert.equal(await open(page({ to: cluster.ids.front }), '{}'), NOT_FOUND, 'for the other process');
    assert.equal(await open(page({ secret: 'the secret of another installation' }), '{}'), NOT_FOUND);
    assert.equal(await open(page(), '{}', '/peers/pages/enhanced'), NOT_FOUND, 'for the other browser');
    // A signed request that makes no sense ends with an answer, and the socket with it.
    assert.equal(await open(page({ body: 'null' }), 'null'), 1000);
    assert.equal(await send(cluster.back, signed()), 200);
  });
});

// Calls between processes: signed for one call to one process, for a short time, and accepted once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCallSignatures, isBodyOf, PEER_PROTOCOL } from '../../../src/peers/call-signature.ts';
import { createTestClock } from '../../support/test-clock.ts';

const SECRET = new Uint8Array(32).fill(1);
const CALL = { method: 'POST', path: '/peers/operations/getBrowser?x=1' };

function setUp(secret = SECRET) {
  const clock = createTestClock();
  const a = createCallSignatures(SECRET, 'a', clock);
  const b = createCallSignatures(secret, 'b', clock);
  return { clock, a, b };
}

test('a call is accepted by the process it is for, with its sender, client and body', () => {
  const { a, b } = setUp();
  const claims = b.verify(a.sign({ ...CALL, to: 'b', body: '{"x":1}', address: '192.0.2.1' }), CALL);
  assert.equal(claims?.from, 'a');
  assert.equal(claims.address, '192.0.2.1');
  assert.ok(isBodyOf(claims, Buffer.from('{"x":1}')));
  assert.ok(!isBodyOf(claims, '{"x":2}'));
});

test('a call is not accepted twice, elsewhere, for another path or method, or with another secret', () => {
  const { a, b } = setUp();
  const header = a.sign({ ...CALL, to: 'b' });
  assert.ok(b.verify(header, CALL));
  assert.equal(b.verify(header, CALL), undefined);
  assert.equal(b.verify(a.sign({ ...CALL, to: 'c' }), CALL), undefined);
  assert.equal(b.verify(a.sign({ ...CALL, to: 'b' }), { ...CALL, path: '/peers/operations/interact' }), undefined);
  assert.equal(b.verify(a.sign({ ...CALL, to: 'b' }), { ...CALL, method: 'GET' }), undefined);
  const stranger = setUp(new Uint8Array(32).fill(2));
  assert.equal(stranger.b.verify(stranger.a.sign({ ...CALL, to: 'b' }), CALL), undefined);
});

test('a call is valid for half a minute, whichever clock is ahead', () => {
  const { clock, a, b } = setUp();
  const header = a.sign({ ...CALL, to: 'b' });
  const late = a.sign({ ...CALL, to: 'b' });
  clock.set(clock.now() + 29_000);
  assert.ok(b.verify(header, CALL));
  clock.set(clock.now() + 2_000);
  assert.equal(b.verify(late, CALL), undefined);
  assert.equal(b.verify(header, CALL), undefined);
});

test('whatever is not a signature is refused without an error', () => {
  const { a, b } = setUp();
  const [claims, mac] = a.sign({ ...CALL, to: 'b' }).split('.') as [string, string];
  const other = Buffer.from(JSON.stringify({ protocol: PEER_PROTOCOL, to: 'b', ...CALL, at: 0 })).toString('base64url');
  for (const header of [
    undefined,
    '',
    '.',
    claims,
    `${claims}.`,
    `.${mac}`,
    `${claims}.${mac}.`,
    `${claims}.${mac.slice(0, -2)}`,
    `${other}.${mac}`,
    'x'.repeat(5_000),
    'Bearer fc-0123456789abcdef',
  ]) {
    assert.equal(b.verify(header, CALL), undefined, header);
  }
  assert.ok(b.verify(`${claims}.${mac}`, CALL));
});

// Which addresses are one-time links.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLoginHash } from '../../../../web/console/session/login-link.ts';

test('a one-time link is recognised by the end of its address, and nothing else is', () => {
  assert.equal(readLoginHash('#login=0123456789abcdef'), '0123456789abcdef');
  for (const hash of [
    '',
    '#',
    '#login=',
    '#login',
    '#content',
    '#login=a b',
    '#login=<b>',
    '#x&login=1',
    `#login=${'a'.repeat(101)}`,
  ])
    assert.equal(readLoginHash(hash), undefined, hash);
});

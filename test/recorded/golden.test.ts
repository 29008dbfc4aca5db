// A difference from a golden file is told with the place and both values.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differencesOf, write } from './golden.ts';
import { normalise } from './normalise.ts';

test('a difference names the block, the path, and the value before and after', () => {
  const before = new Map<string, unknown>([
    ['same', { a: 1 }],
    ['changed', { body: { list: ['x', 'y'], old: true } }],
    ['gone', {}],
  ]);
  const after = new Map<string, unknown>([
    ['same', { a: 1 }],
    ['changed', { body: { list: ['x', 'z'] } }],
    ['new', {}],
  ]);
  assert.deepEqual(differencesOf(before, after), [
    'changed  body.list.1\n    before: "y"\n    after:  "z"',
    'changed  body.old\n    before: true\n    after:  (absent)',
    'gone\n    is recorded, but no longer there',
    'new\n    is not recorded',
  ]);
});

test('a golden file is sorted by the names of blocks and keys', () => {
  const recorded = new Map<string, unknown>([
    ['b', { z: 1, a: [{ y: 1, x: 2 }] }],
    ['a', null],
  ]);
  assert.equal(write(recorded), '### a\nnull\n### b\n{"a":[{"x":2,"y":1}],"z":1}\n');
});

test('what differs between runs becomes a placeholder, and what pages say stays', () => {
  const now = Date.UTC(2031, 0, 15);
  const value = {
    id: '01890000-0000-7000-8000-000000000000',
    at: '2031-01-15T00:00:00.000Z',
    published: '2020-02-03T04:05:06Z',
    url: 'http://site.test:1234/?token=abc&x=1',
    durationMs: 17,
    number: 17,
    atMs: now,
  };
  assert.deepEqual(normalise(value, { texts: [[':1234', ':<port>']], now }), {
    id: '<id>',
    at: '<time>',
    published: '2020-02-03T04:05:06Z',
    url: 'http://site.test:<port>/?token=<token>&x=1',
    durationMs: '<number>',
    number: 17,
    atMs: '<number>',
  });
});

// Caller scripts: how their value is returned, and that none can hang or flood the service.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { evaluateScript } from '../../../../../src/fetch/browser/actions/evaluate-script.ts';
import { noBrowser, servePages } from '../../../../support/browser/serve-pages.ts';

const options = { skip: noBrowser };

const site = servePages({
  '/': '<title>Home</title><ul><li>One</li><li>Two</li></ul>',
  '/other': '<title>Other</title>',
  '/strict': (_request, response) => {
    response.setHeader('content-security-policy', "default-src 'none'; require-trusted-types-for 'script'");
    response.setHeader('content-type', 'text/html').end('<title>Strict</title>');
  },
  '/lying': `<script>JSON.stringify = () => 'x'.repeat(9_000_000)</script>`,
});

let page: Page;
before(async () => {
  if (!noBrowser) page = await site.open('/');
});

const run = (script: string, withinMs = 20_000, on = page) =>
  evaluateScript(on, script, { withinMs, signal: new AbortController().signal });

const VALUES: [script: string, type: string, value: unknown][] = [
  ['1 + 1', 'number', 2],
  ['const title = document.title; title', 'string', 'Home'],
  ['if (true) { 9 }', 'number', 9],
  ['return 5', 'number', 5],
  ['const five = await Promise.resolve(5); return five + 1', 'number', 6],
  ['const six = await Promise.resolve(6); six', 'number', 6],
  ['Promise.resolve({ a: [1] })', 'object', { a: [1] }],
  ['return 1 // the end', 'number', 1],
  ['(function () { return 3 })()', 'number', 3],
  ['undefined', 'undefined', null],
  ['const nothing = 1', 'undefined', null],
  ['null', 'null', null],
  ['true', 'boolean', true],
  ['12345678901234567890n', 'bigint', '12345678901234567890'],
  ['NaN', 'number', null],
  ['-0', 'number', 0],
  ['() => 1', 'function', null],
  ['Symbol("mark")', 'symbol', 'Symbol(mark)'],
  ['[1, , () => 1, undefined, "a"]', 'array', [1, null, null, null, 'a']],
  ['({ a: 1n, b: undefined, c: new Date(0), d: /x/ })', 'object', { a: '1', c: '1970-01-01T00:00:00.000Z', d: {} }],
  ['new Date(0)', 'object', '1970-01-01T00:00:00.000Z'],
  ['new Map([["a", new Set([1])]])', 'array', [['a', [1]]]],
  ['new Uint8Array([1, 2])', 'array', [1, 2]],
  ['new TypeError("odd")', 'object', 'TypeError: odd'],
  ['document.querySelector("li")', 'object', '<li>One</li>'],
  ['document.querySelectorAll("li")', 'array', ['<li>One</li>', '<li>Two</li>']],
  ['const ring = { a: {} }; ring.a.back = ring; ring', 'object', { a: { back: '[Circular]' } }],
  ['const twice = [1]; [twice, twice]', 'array', [[1], [1]]],
  ['({ __proto__: null, ["__proto__"]: 1, toJSON: undefined })', 'object', JSON.parse('{"__proto__":1}')],
];

for (const [script, type, value] of VALUES) {
  test(`${script} returns its value`, options, async () => {
    assert.deepEqual(await run(script), { type, value });
  });
}

const FAILURES: [script: string, message: RegExp][] = [
  ['throw new Error("boom")', /^the script failed: Error: boom$/],
  ['throw 5', /^the script failed: 5$/],
  ['Promise.reject(new TypeError("late"))', /^the script failed: TypeError: late$/],
  ['await Promise.reject(new Error("later"))', /^the script failed: Error: later$/],
  ['let x = ;', /^the script failed: SyntaxError: Unexpected token ';'$/],
  ['window.runs = (window.runs ?? 0) + 1; eval("return 1")', /SyntaxError: Illegal return statement/],
  ['({ get a() { throw new Error("no") } })', /^the script failed: Error: no$/],
  ['"x".repeat(2_000_000)', /larger than 1000000 characters/],
  ['({ text: "x".repeat(2_000_000) })', /larger than 1000000 characters/],
  ['new Array(4_000_000_000)', /larger than 1000000 characters/],
  ['({ *[Symbol.iterator]() { for (;;) yield 1 }, constructor: { name: "Set" } })', /larger than 1000000 characters/],
];

for (const [script, message] of FAILURES) {
  test(`${script} fails with a reason`, options, async () => {
    await assert.rejects(run(script), { message });
  });
}

test('a failing script runs only once', options, async () => {
  assert.deepEqual(await run('window.runs'), { type: 'number', value: 1 });
});

test('deeply nested values are cut', options, async () => {
  const { value } = await run('let nest = {}; for (let i = 0; i < 100_000; i++) nest = { nest }; nest');
  assert.match(JSON.stringify(value), /"\[Too deep\]"/);
});

test('an endless script is stopped, and the page stays usable', options, async () => {
  await assert.rejects(run('for (;;) {}', 300), { message: /^the script did not finish within/ });
  await assert.rejects(run('await new Promise(() => {})', 300), { message: /^the script did not finish within/ });
  assert.deepEqual(await run('2'), { type: 'number', value: 2 });
});

test("the page's content security policy does not restrict the caller's script", options, async () => {
  const strict = await site.open('/strict');
  assert.deepEqual(await run('return document.title', 5_000, strict), { type: 'string', value: 'Strict' });
  await strict.close();
});

test('a page that tampers with JSON cannot return oversized values', options, async () => {
  const lying = await site.open('/lying');
  await assert.rejects(run('({})', 5_000, lying), { message: /larger than/ });
  await lying.close();
});

test('a script that navigates away returns undefined', options, async () => {
  const leaving = await site.open('/');
  assert.deepEqual(await run('location.href = "/other"; await new Promise(() => {})', 5_000, leaving), {
    type: 'undefined',
    value: null,
  });
  await leaving.waitForURL('**/other');
  await leaving.close();
});

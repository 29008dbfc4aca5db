// Which attempts a scrape plans, and after which setback each one helps.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scrapeOptions } from '../../../src/contracts/scrape-options.ts';
import type { FetchEngine } from '../../../src/fetch/engine.ts';
import { planAttempts } from '../../../src/fetch/plan.ts';

const engine = (name: FetchEngine['name']): FetchEngine => ({
  name,
  fetch: () => Promise.reject(new Error('not here')),
});
const TOOLS = { http: engine('http'), browser: engine('browser'), hasEnhancedProxy: true, isRendered: false };

const planned = (options: object, tools: Partial<Parameters<typeof planAttempts>[1]> = {}) =>
  planAttempts(scrapeOptions.parse(options), { ...TOOLS, ...tools }).map(
    ({ engine: { name }, proxyClass, helpsAfter }) => [name, proxyClass, ...(helpsAfter ?? [])].join(' '),
  );

test('plain HTTP comes first, the browser after an empty shell, the enhanced proxy after a refusal', () => {
  assert.deepEqual(planned({}), [
    'http basic',
    'browser basic shell challenge forbidden',
    'browser enhanced challenge forbidden turned-away failed',
  ]);
});

test('options that need a browser start with the browser', () => {
  for (const options of [
    { actions: [{ type: 'scrape' }] },
    { waitFor: 100 },
    { mobile: true },
    { formats: ['screenshot'] },
    { profile: { name: 'login' } },
    { profile: { name: 'login' }, fastMode: true },
  ]) {
    assert.equal(planned(options)[0], 'browser basic');
    assert.equal(planned(options).length, 2);
  }
});

test('a host that needed the browser before starts with it', () => {
  assert.equal(planned({}, { isRendered: true })[0], 'browser basic');
});

test('fastMode uses HTTP only', () => {
  assert.deepEqual(planned({ fastMode: true }, { isRendered: true }), [
    'http basic',
    'http enhanced challenge forbidden turned-away failed',
  ]);
});

test('proxy: basic and proxy: enhanced use only that proxy', () => {
  assert.deepEqual(planned({ proxy: 'basic' }), ['http basic', 'browser basic shell challenge forbidden']);
  assert.deepEqual(planned({ proxy: 'enhanced' }), ['http enhanced', 'browser enhanced shell challenge forbidden']);
});

test('without a browser or an enhanced proxy there is only one attempt', () => {
  assert.deepEqual(planned({ mobile: true }, { browser: undefined, hasEnhancedProxy: false }), ['http basic']);
  assert.deepEqual(planned({ proxy: 'enhanced' }, { browser: undefined, hasEnhancedProxy: false }), ['http basic']);
});

test('a page of the manual is read from disk unless the request needs a browser', () => {
  assert.deepEqual(planned({ waitFor: 5 }, { manual: engine('manual') }), ['manual basic']);
  assert.equal(planned({ formats: ['screenshot'] }, { manual: engine('manual') })[0], 'browser basic');
});

// Which attempts a scrape plans, and after which setback each one helps.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scrapeOptions } from '../../../src/contracts/scrape/scrape-options.ts';
import type { FetchEngine } from '../../../src/fetch/engine.ts';
import { planAttempts } from '../../../src/fetch/plan.ts';

const engine = (name: FetchEngine['name']): FetchEngine => ({
  name,
  fetch: () => Promise.reject(new Error('not here')),
});
const TOOLS = {
  http: engine('http'),
  chromeHttp: engine('chrome-http'),
  browser: engine('browser'),
  enhancedBrowser: engine('browser'),
  hasEnhancedProxy: false,
  isRendered: false,
  isBusyFinal: false,
};
const NO_BROWSER = { browser: undefined, enhancedBrowser: undefined };
const REFUSALS = 'challenge forbidden busy dropped';

const planned = (options: object, tools: Partial<Parameters<typeof planAttempts>[1]> = {}) =>
  planAttempts(scrapeOptions.parse(options), { ...TOOLS, ...tools }).map(
    ({ engine: { name }, proxyClass, helpsAfter }) => [name, proxyClass, ...(helpsAfter ?? [])].join(' '),
  );

test('plain HTTP comes first, the browser after an empty shell, other identities after a refusal', () => {
  assert.deepEqual(planned({}), [
    'http basic',
    'browser basic shell',
    `chrome-http enhanced ${REFUSALS}`,
    `browser enhanced ${REFUSALS} shell unavailable`,
  ]);
});

test('with an enhanced proxy, the browser comes before it, and more refusals lead to it', () => {
  assert.deepEqual(planned({}, { hasEnhancedProxy: true }), [
    'http basic',
    'browser basic shell challenge forbidden',
    `chrome-http enhanced ${REFUSALS} turned-away failed`,
    'http enhanced unavailable',
    `browser enhanced ${REFUSALS} turned-away failed shell unavailable`,
  ]);
});

test('a crawl that was told to slow down does not come back in another guise', () => {
  assert.equal(planned({}, { isBusyFinal: true })[2], 'chrome-http enhanced challenge forbidden dropped');
  const [, , withProxy] = planned({}, { isBusyFinal: true, hasEnhancedProxy: true });
  assert.match(withProxy!, / busy /);
});

test('options that need a browser start with the browser', () => {
  for (const options of [
    { actions: [{ type: 'scrape' }] },
    { waitFor: 100 },
    { mobile: true },
    { formats: ['screenshot'] },
    { formats: ['branding'], fastMode: true },
    { formats: ['screenshot', 'branding'] },
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
  const expected = ['http basic', `chrome-http enhanced ${REFUSALS}`];
  assert.deepEqual(planned({ fastMode: true }, { isRendered: true }), expected);
});

test('proxy: basic and proxy: enhanced use only attempts of that kind', () => {
  assert.deepEqual(planned({ proxy: 'basic' }), ['http basic', 'browser basic shell challenge forbidden']);
  assert.deepEqual(planned({ proxy: 'enhanced' }), [
    'chrome-http enhanced',
    'http enhanced unavailable',
    `browser enhanced ${REFUSALS} shell unavailable`,
  ]);
  assert.deepEqual(planned({ proxy: 'enhanced', waitFor: 5 }), ['browser enhanced']);
});

test('without a browser there are only attempts over HTTP', () => {
  assert.deepEqual(planned({ proxy: 'basic', mobile: true }, NO_BROWSER), ['http basic']);
  assert.deepEqual(planned({ mobile: true }, NO_BROWSER), ['http basic', `chrome-http enhanced ${REFUSALS}`]);
});

test('a page of the manual is read from disk unless the request needs a browser', () => {
  assert.deepEqual(planned({ waitFor: 5 }, { manual: engine('manual') }), ['manual basic']);
  assert.equal(planned({ formats: ['screenshot'] }, { manual: engine('manual') })[0], 'browser basic');
});

// What this version cannot serve is refused or named before anything starts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNSUPPORTED_FORMATS } from '../../../../src/contracts/capabilities.ts';
import type { ServiceError } from '../../../../src/contracts/errors.ts';
import { scrapeRequest } from '../../../../src/contracts/scrape.ts';
import { checkCapabilities } from '../../../../src/operations/page/check-capabilities.ts';

const url = 'https://example.com';
const NO_BROWSER = 'There is no browser on this machine.';
const means: Means = { features: ['zdr', 'anon'], hasEnhancedProxy: false, noBrowser: NO_BROWSER };
interface Means {
  features: string[];
  hasEnhancedProxy: boolean;
  noBrowser?: string;
  noMedia?: string;
}
const check = (options: object, given: Means = means) =>
  checkCapabilities(scrapeRequest.parse({ url, ...options }), {
    features: given.features,
    egress: { hasProxy: () => given.hasEnhancedProxy },
    browser: { unavailable: () => given.noBrowser },
    media: { unavailable: () => given.noMedia },
  });

const refusal = (options: object, given?: Means): ServiceError => {
  try {
    check(options, given);
  } catch (error) {
    return error as ServiceError;
  }
  return assert.fail('accepted');
};

test('audio and video need ffmpeg, and a file that may be kept', () => {
  for (const type of ['audio', 'video']) {
    assert.deepEqual(check({ formats: [type] }), []);
    const { code, message } = refusal({ formats: [type] }, { ...means, noMedia: 'There is no ffmpeg.' });
    assert.deepEqual({ code, message }, { code: 'NO_MEDIA_TOOLS', message: 'There is no ffmpeg.' });
    assert.equal(refusal({ formats: [type], zeroDataRetention: true }).code, 'BAD_REQUEST');
    assert.equal(refusal({ formats: [type], lockdown: true }).code, 'BAD_REQUEST');
  }
});

test('plain formats pass without a word', () => {
  assert.deepEqual(check({ formats: ['markdown', 'html', 'rawHtml', 'links', 'images'] }), []);
});

test('each format that nothing serves is a 400 that names it and its place', () => {
  const fields: Record<string, object> = {
    question: { question: 'q' },
    highlights: { query: 'q' },
    query: { prompt: 'q' },
  };
  for (const type of Object.keys(UNSUPPORTED_FORMATS)) {
    const formats = type === 'rawBase64' ? [type] : ['markdown', { type, ...fields[type] }];
    const error = refusal({ formats });
    assert.equal(error.status, 400);
    assert.equal(error.code, 'BAD_REQUEST');
    assert.match(error.message, new RegExp(`'${type}'`));
    assert.deepEqual((error.details as { path: unknown }[])[0]?.path, ['formats', formats.length - 1]);
  }
});

test('options that would deceive when left out are refused by name', () => {
  for (const options of [{ redactPII: true }, { safeMode: true }]) {
    const error = refusal(options);
    assert.equal(error.code, 'BAD_REQUEST');
    assert.deepEqual((error.details as { path: unknown }[])[0]?.path, Object.keys(options));
  }
});

test('without a browser, actions have an error of their own, screenshots and profiles a place; all say why there is none', () => {
  const actions = refusal({ actions: [{ type: 'scrape' }] });
  assert.equal(actions.code, 'SCRAPE_ACTIONS_NOT_SUPPORTED');
  const screenshot = refusal({ formats: ['markdown', 'screenshot'] });
  assert.deepEqual((screenshot.details as { path: unknown }[])[0]?.path, ['formats', 1]);
  const profile = refusal({ profile: { name: 'a' } });
  assert.deepEqual((profile.details as { path: unknown }[])[0]?.path, ['profile']);
  for (const { message } of [actions, screenshot, profile]) assert.ok(message.endsWith(NO_BROWSER), message);
});

test('with a browser they pass, and so do waiting and mobile', () => {
  const formats = ['markdown', 'screenshot'];
  const options = { formats, actions: [{ type: 'scrape' }], waitFor: 100, mobile: true, profile: { name: 'a' } };
  assert.deepEqual(check(options, { ...means, noBrowser: undefined }), []);
});

test('threat protection is 403 while the team lacks it, and 400 while nothing serves it', () => {
  assert.equal(refusal({ threatProtection: { mode: 'normal' } }).status, 403);
  const enabled = { features: ['threat-protection'], hasEnhancedProxy: false };
  assert.equal(refusal({ threatProtection: { mode: 'normal' } }, enabled).status, 400);
});

test('zero data retention is 403 when the operator did not enable it', () => {
  assert.equal(refusal({ zeroDataRetention: true }, { features: [], hasEnhancedProxy: false }).status, 403);
  assert.deepEqual(check({ zeroDataRetention: true }), []);
});

test('what the result survives without is named in a warning', () => {
  assert.match(check({ onlyCleanContent: true })[0] ?? '', /onlyCleanContent/);
  assert.match(check({ waitFor: 100 })[0] ?? '', /waitFor/);
  assert.match(check({ mobile: true })[0] ?? '', /mobile/);
  assert.match(check({ proxy: 'enhanced' })[0] ?? '', /TRAWL_PROXY_ENHANCED/);
  assert.deepEqual(check({ proxy: 'enhanced' }, { ...means, hasEnhancedProxy: true }), []);
});

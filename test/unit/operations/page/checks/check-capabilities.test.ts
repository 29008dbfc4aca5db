// Requests that this version cannot serve are refused or get a warning before anything starts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServiceError } from '../../../../../src/contracts/errors/errors.ts';
import { needsClassifier } from '../../../../../src/contracts/scrape/redaction.ts';
import { scrapeRequest } from '../../../../../src/contracts/scrape/scrape.ts';
import { checkCapabilities } from '../../../../../src/operations/page/checks/check-capabilities.ts';

const url = 'https://example.com';
const NO_BROWSER = 'There is no browser on this machine.';
const capabilities: Capabilities = { noBrowser: NO_BROWSER };
interface Capabilities {
  noBrowser?: string;
  noMedia?: string;
  noRuntime?: string;
}
const capable = (options: object, given: Capabilities = capabilities) =>
  checkCapabilities(scrapeRequest.parse({ url, ...options }), {
    browser: { unavailable: () => given.noBrowser },
    media: { unavailable: () => given.noMedia },
    redactor: { unavailable: (options) => (needsClassifier(options) ? given.noRuntime : undefined) },
  });

/** The warnings of a request that can be served as it is. */
const check = (options: object, given?: Capabilities) => {
  const { warnings, missing } = capable(options, given);
  assert.deepEqual(missing, []);
  return warnings;
};

const refusal = (options: object, given?: Capabilities): ServiceError => {
  try {
    capable(options, given);
  } catch (error) {
    return error as ServiceError;
  }
  return assert.fail('accepted');
};

test('audio and video need ffmpeg and permission to store files', () => {
  for (const type of ['audio', 'video']) {
    assert.deepEqual(check({ formats: [type] }), []);
    const { code, message } = refusal({ formats: [type] }, { ...capabilities, noMedia: 'There is no ffmpeg.' });
    assert.deepEqual({ code, message }, { code: 'NO_MEDIA_TOOLS', message: 'There is no ffmpeg.' });
    assert.equal(refusal({ formats: [type], zeroDataRetention: true }).code, 'BAD_REQUEST');
    assert.equal(refusal({ formats: [type], lockdown: true }).code, 'BAD_REQUEST');
  }
});

test('branding needs a browser: left out beside others, and alone an error of its own', () => {
  const { code, message } = refusal({ formats: ['branding'] });
  assert.deepEqual(
    [code, message],
    ['SCRAPE_BRANDING_NOT_SUPPORTED', `The format 'branding' needs a browser. ${NO_BROWSER}`],
  );
  const { missing, options } = capable({ formats: ['branding', 'markdown'] });
  assert.deepEqual(
    [missing.map(({ type }) => type), options.formats.map(({ type }) => type)],
    [['branding'], ['markdown']],
  );
  assert.deepEqual(check({ formats: ['branding'] }, {}), []);
});

test('plain formats are accepted without warnings', () => {
  assert.deepEqual(check({ formats: ['markdown', 'html', 'rawHtml', 'links', 'images'] }), []);
});

test('safeMode refuses what it does not allow', () => {
  assert.equal(refusal({ safeMode: true, headers: { Cookie: 'a=b' } }).code, 'SAFE_MODE_BLOCKED');
  assert.deepEqual(check({ safeMode: true }), []);
});

test('without a browser, actions have their own error, screenshots and profiles name their path, and all give the reason', () => {
  const actions = refusal({ actions: [{ type: 'scrape' }] });
  assert.equal(actions.code, 'SCRAPE_ACTIONS_NOT_SUPPORTED');
  const screenshot = refusal({ formats: ['screenshot'] });
  assert.deepEqual((screenshot.details as { path: unknown }[])[0]?.path, ['formats', 0]);
  const profile = refusal({ profile: { name: 'a' } });
  assert.deepEqual((profile.details as { path: unknown }[])[0]?.path, ['profile']);
  for (const { message } of [actions, screenshot, profile]) assert.ok(message.endsWith(NO_BROWSER), message);
});

test('with a browser they are accepted, and so are waitFor and mobile', () => {
  const formats = ['markdown', 'screenshot'];
  const options = { formats, actions: [{ type: 'scrape' }], waitFor: 100, mobile: true, profile: { name: 'a' } };
  assert.deepEqual(check(options, { ...capabilities, noBrowser: undefined }), []);
});

test('unsupported options that only affect quality cause a warning', () => {
  assert.deepEqual(check({ onlyCleanContent: true }), []);
  assert.match(check({ onlyCleanContent: true, zeroDataRetention: true })[0] ?? '', /onlyCleanContent/);
  assert.match(check({ waitFor: 100 })[0] ?? '', /waitFor/);
  assert.match(check({ mobile: true })[0] ?? '', /mobile/);
});

test('without the model runtime, redaction that needs it is refused with the reason, and `fast` is served', () => {
  const given = { ...capabilities, noRuntime: 'It is not installed.' };
  for (const redactPII of [true, {}, { mode: 'aggressive' }, { entities: [] }, { entities: ['EMAIL', 'PERSON'] }]) {
    const error = refusal({ redactPII }, given);
    assert.deepEqual([error.code, error.status], ['PII_MODEL_UNAVAILABLE', 503]);
    assert.match(error.message, /^It is not installed\. .*`mode: fast`/);
  }
  for (const redactPII of [false, { mode: 'fast' }, { entities: ['EMAIL', 'SECRET'] }]) {
    assert.deepEqual(check({ redactPII }, given), []);
  }
});

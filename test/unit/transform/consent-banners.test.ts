// Consent banners in pages as they were sent: the containers of consent managers go, and what only looks like one stays.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TransformOptions } from '../../../src/page/page.ts';
import { createExtractor } from '../../../src/transform/main-content/extractor.ts';
import { loadModel } from '../../../src/transform/main-content/model/model.ts';
import { createPipeline } from '../../../src/transform/pipeline.ts';

const run = createPipeline({
  judge: () => ({ kind: 'content', reason: '' }) as const,
  extract: createExtractor(loadModel()),
});
const DEFAULTS: TransformOptions = {
  formats: ['markdown'],
  onlyMainContent: true,
  includeTags: [],
  excludeTags: [],
  removeBase64Images: true,
  blockAds: true,
};
const NOTICE = '<p>We and our partners store data on your device.</p><a href="/all">Accept all</a>';
const STORY = '<p>The lamp of the lighthouse was lit for the first time in March, and the whole town came.</p>';

function read(body: string, options: Partial<TransformOptions> = {}) {
  const bytes = Buffer.from(`<!doctype html><title>Lamp</title><body>${body}`);
  const page = { finalUrl: 'https://example.com/p', status: 200, headers: {}, contentType: 'text/html', bytes };
  return run({ page, options: { ...DEFAULTS, ...options } }).content;
}

for (const container of [
  '<div id="onetrust-banner-sdk" class="otFlat">',
  '<div id="sp_message_container_123">',
  '<section class="wide cookie-banner shown">',
  '<div class="cc-window cc-floating">',
  '<div id="cookie-law-info-bar" style="display:none">',
]) {
  const page = `<div class="text">${STORY}</div>${container}${NOTICE}`;
  test(`a banner is in no format of the page, however little else there is: ${container}`, () => {
    for (const options of [{}, { onlyMainContent: false }, { includeTags: ['body'] }]) {
      const { markdown, html, links } = read(page, { ...options, formats: ['markdown', 'html', 'links'] });
      assert.match(markdown!, /^The lamp of the lighthouse/);
      assert.doesNotMatch(markdown!, /partners|Accept/);
      assert.doesNotMatch(html!, /partners|Accept|onetrust|cookie|message_container|cc-window/);
      assert.deepEqual(links, []);
    }
  });
}

test('a banner stays if blockAds is off, or if the caller names it', () => {
  const page = `${STORY}<div id="onetrust-banner-sdk">${NOTICE}</div>`;
  assert.match(read(page, { onlyMainContent: false, blockAds: false }).markdown!, /our partners/);
  assert.match(read(page, { includeTags: ['#onetrust-banner-sdk'] }).markdown!, /our partners/);
  assert.match(read(page, { includeTags: ['#onetrust-banner-sdk p'] }).markdown!, /our partners/);
});

test('content in an element with such a name stays', () => {
  const options = { onlyMainContent: false };
  const policy = Array.from({ length: 30 }, (_, number) => `<p>Cookie ${number} ${STORY.slice(3)}`).join('');
  for (const page of [
    `<nav>Home</nav><div id="cc-main"><h1>Lamp</h1>${STORY}</div>`,
    `<nav>Home</nav><div id="ccc"><main>${STORY}</main></div>`,
    `<nav>Home</nav><div class="cookie-consent">${policy}</div>`,
    `<div class="cookie-consent">${STORY}</div>`,
    `<nav>Home</nav><div class="cookie-banner-design">${STORY}</div><div id="my-ccc">${STORY}</div>`,
  ]) {
    assert.match(
      read(page, options).markdown!,
      /The lamp of the lighthouse|the lighthouse was lit/i,
      page.slice(0, 60),
    );
  }
});

// Which engine fetches a page, when its host is remembered, and how captures are returned.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../../../src/contracts/errors/errors.ts';
import { scrapeOptions } from '../../../../src/contracts/scrape/scrape-options.ts';
import type { FetchRequest } from '../../../../src/fetch/engine.ts';
import { CallerHeaders } from '../../../../src/net/http/caller-headers.ts';
import { type FetchPageDeps, fetchPage } from '../../../../src/operations/page/fetch-page.ts';
import type { Capture, Captures } from '../../../../src/page/captures.ts';
import type { EngineName, Fetched } from '../../../../src/page/page.ts';
import { STYLES } from '../../../support/page-styles.ts';
import { sharedPagePool } from '../../../support/threads.ts';
import { createDice, paragraph } from '../../../support/web/words.ts';

const transformer = sharedPagePool();

const SHELL =
  '<title>App</title><div id="root"></div><noscript>You need to enable JavaScript to run this app.</noscript><script src="/b.js"></script>';
const RENDERED = `<title>App</title><h1>App</h1><p>${paragraph(createDice(1))}</p><p>${paragraph(createDice(2))}</p>`;
const CHALLENGE =
  '<title>Just a moment...</title><div id="challenge-running"></div><script>window._cf_chl_opt={cType:"managed"};</script>';

const PNG: Capture = { bytes: Buffer.from('picture'), type: 'image/png' };
const PDF: Capture = { bytes: Buffer.from('document'), type: 'application/pdf' };

interface Setup {
  plain?: string;
  rendered?: string;
  captures?: Captures;
  unavailable?: string;
  isRendered?: boolean;
  zeroDataRetention?: boolean;
}

async function fetched(options: object, setup: Setup = {}) {
  const { plain = SHELL, rendered = RENDERED, captures, unavailable, isRendered = false } = setup;
  const requests: (FetchRequest & { by: EngineName })[] = [];
  const remembered: string[] = [];
  const stored: { capture: Capture; link: string; ms: number }[] = [];
  const engine = (name: EngineName, html: string) => ({
    name,
    fetch: async (request: FetchRequest): Promise<Fetched> => {
      requests.push({ ...request, by: name });
      const { href } = request.url;
      if (name === 'browser' && unavailable) throw new ServiceError('SCRAPE_ALL_ENGINES_FAILED');
      return {
        ...{ requestedUrl: href, finalUrl: href, status: 200, headers: {}, contentType: 'text/html', fetchedAt: 0 },
        ...{ bytes: Buffer.from(html), engine: name, proxyClass: request.proxyClass },
        ...(name === 'browser' && { captures }),
      };
    },
  });
  const deps = {
    http: engine('http', plain),
    chromeHttp: engine('chrome-http', plain),
    enhancedBrowser: engine('browser', rendered),
    browser: { ...engine('browser', rendered), unavailable: () => unavailable },
    manual: { has: () => false },
    renderedHosts: { has: () => isRendered, add: (host: string) => remembered.push(host) },
    fileLinks: {
      store: async (capture: Capture, base: string, ms: number) => {
        const link = `${base}/${stored.length}`;
        stored.push({ capture, link, ms });
        return { id: String(stored.length), url: link };
      },
    },
    egress: { hasProxy: () => false },
    clock: { now: () => 0 },
    transformer,
  } as unknown as FetchPageDeps;
  const url = new URL('https://app.test:8443/page');
  const parsed = scrapeOptions.parse(options);
  const request = {
    url,
    teamId: 'team',
    threatCheck: undefined,
    options: {
      ...parsed,
      zeroDataRetention: setup.zeroDataRetention ?? false,
    },
    headers: CallerHeaders.for(url, parsed.headers),
    deadline: 60_000,
    baseUrl: 'http://trawl.test',
  };
  const made = {
    ...{ formats: ['markdown' as const], onlyMainContent: true, includeTags: [], excludeTags: [] },
    ...{ removeBase64Images: true, blockAds: true },
  };
  const { signal } = new AbortController();
  const wanted = { made, isIndexed: false };
  const { page, outcome, ownContent, missing } = await fetchPage(deps, request, wanted, signal);
  assert.ok(!('captures' in page), 'the stored page contains captures');
  const content = { ...JSON.parse(Buffer.from(outcome.content).toString()), ...ownContent };
  return { page, missing, verdict: outcome.verdict.kind, content, requests, remembered, stored };
}

test('an empty shell is fetched again by the browser, and its host and port are remembered', async () => {
  const { requests, verdict, page, remembered } = await fetched({});
  assert.deepEqual(
    requests.map(({ by }) => by),
    ['http', 'browser'],
  );
  assert.deepEqual([verdict, page.engine, remembered], ['content', 'browser', ['app.test:8443']]);
});

test('a host is not remembered if the browser did not help or was not the second attempt', async () => {
  assert.deepEqual((await fetched({}, { rendered: SHELL })).remembered, []);
  assert.deepEqual((await fetched({ waitFor: 1 })).remembered, []);
  assert.deepEqual((await fetched({}, { plain: RENDERED })).remembered, []);
});

test('tracking changes gives a rendered page time to come to rest, but makes no page need a browser', async () => {
  const formats = ['markdown', 'changeTracking'];
  const waits = async (options: object) =>
    (await fetched({ formats, ...options })).requests.map((each) => each.waitFor);
  assert.deepEqual(await waits({}), [5_000, 5_000]);
  assert.deepEqual(
    (await fetched({ formats }, { plain: RENDERED })).requests.map(({ by }) => by),
    ['http'],
  );
  assert.deepEqual(await waits({ waitFor: 8_000 }), [8_000]);
  assert.deepEqual(await waits({ timeout: 6_000 }), [3_000, 3_000], 'never more than half of the time');
});

test('a remembered host is fetched by the browser at once', async () => {
  const { requests } = await fetched({}, { isRendered: true });
  assert.deepEqual(
    requests.map(({ by }) => by),
    ['browser'],
  );
});

test('without a browser the shell is returned, but actions and screenshots are errors', async () => {
  const { verdict, requests } = await fetched({ waitFor: 5, mobile: true }, { unavailable: 'It is broken.' });
  assert.deepEqual([verdict, requests.length], ['empty-shell', 1]);
  for (const options of [{ actions: [{ type: 'scrape' }] }, { formats: ['screenshot'] }]) {
    await assert.rejects(fetched(options, { unavailable: 'It is broken.' }), { code: 'SCRAPE_ALL_ENGINES_FAILED' });
  }
});

test('a browser that fails takes the screenshot away, but not the other formats', async () => {
  const both = { formats: ['markdown', 'screenshot'] };
  const { content, missing, page } = await fetched(both, { plain: RENDERED, unavailable: 'It is broken.' });
  assert.equal(page.engine, 'http');
  assert.match(content.markdown, /^# App/);
  assert.deepEqual(
    missing.map(({ type, reason }) => [type, reason.code]),
    [['screenshot', 'SCRAPE_ALL_ENGINES_FAILED']],
  );
});

test('branding needs a page that was measured in a browser, and takes nothing else away', async () => {
  const both = { formats: ['markdown', 'branding'] };
  const missingOf = async (setup: Parameters<typeof fetched>[1]) => {
    const { content, missing } = await fetched(both, setup);
    assert.match(content.markdown, /^# App/);
    return missing.map(({ type, reason }) => [type, reason.code, reason.message]);
  };
  const code = 'SCRAPE_BRANDING_NOT_SUPPORTED';
  const [unrendered] = await missingOf({ plain: RENDERED, unavailable: 'It is broken.' });
  assert.deepEqual(unrendered!.slice(0, 2), ['branding', code]);
  assert.match(unrendered![2]!, /read without a browser/);
  const [unmeasured] = await missingOf({});
  assert.deepEqual(unmeasured!.slice(0, 2), ['branding', code]);
  assert.match(unmeasured![2]!, /could not be measured/);
  assert.deepEqual(await missingOf({ captures: { styles: STYLES } }), []);
  await assert.rejects(fetched({ formats: ['branding'] }, {}), { code });
});

test('a challenge is an error with its reason', async () => {
  await assert.rejects(fetched({}, { plain: CHALLENGE, rendered: CHALLENGE }), {
    code: 'SCRAPE_SITE_ERROR',
    message: /Cloudflare/,
  });
});

test('the engine receives all options of the caller', async () => {
  const actions = [{ type: 'write', text: 'x' }];
  const { requests } = await fetched({
    ...{ waitFor: 7, mobile: true, blockAds: false, actions, headers: { 'x-own': '1' } },
    ...{ formats: ['markdown', { type: 'screenshot', fullPage: true, quality: 5 }], location: { country: 'AT' } },
  });
  const { waitFor, mobile, blockAds, screenshot, headers, verifyTls, location, deadline } = requests[0]!;
  assert.deepEqual(
    { waitFor, mobile, blockAds, headers: headers.at(new URL('https://app.test:8443/')) },
    { waitFor: 7, mobile: true, blockAds: false, headers: { 'x-own': '1' } },
  );
  assert.deepEqual([screenshot?.fullPage, screenshot?.quality, verifyTls], [true, 5, false]);
  assert.deepEqual([requests[0]!.actions, location.country, deadline], [actions, 'AT', 60_000]);
});

const CAPTURES: Captures = {
  screenshot: PNG,
  actions: {
    screenshots: [PNG, PNG],
    scrapes: [{ url: 'https://app.test/', html: '<p>' }],
    javascriptReturns: [{ type: 'number', value: 1 }],
    pdfs: [PDF],
  },
};
const ASKED = { formats: ['markdown', 'screenshot'], actions: [{ type: 'scrape' }] };

test('captures become links that are valid for a day, in the order they were taken', async () => {
  const { content, stored } = await fetched(ASKED, { captures: CAPTURES });
  assert.match(content.markdown, /^# App/);
  const links = [content.screenshot, ...content.actions.screenshots, ...content.actions.pdfs];
  assert.deepEqual(
    links,
    stored.map(({ link }) => link),
  );
  assert.deepEqual(
    stored.map(({ capture, ms }) => [capture.type, ms]),
    ['image/png', 'image/png', 'image/png', 'application/pdf'].map((type) => [type, 86_400_000]),
  );
  const { scrapes, javascriptReturns } = CAPTURES.actions!;
  assert.deepEqual([content.actions.scrapes, content.actions.javascriptReturns], [scrapes, javascriptReturns]);
});

test('with zero data retention, captures are returned inline', async () => {
  const { content, stored } = await fetched(ASKED, { captures: CAPTURES, zeroDataRetention: true });
  assert.deepEqual(stored, []);
  assert.equal(content.screenshot, `data:image/png;base64,${Buffer.from('picture').toString('base64')}`);
  assert.deepEqual(content.actions.pdfs, [`data:application/pdf;base64,${Buffer.from('document').toString('base64')}`]);
});

test('empty lists of action results are left out', async () => {
  const actions = { screenshots: [], scrapes: [], javascriptReturns: [], pdfs: [] };
  const { content } = await fetched(ASKED, { captures: { actions } });
  assert.deepEqual([content.actions, content.screenshot], [{}, undefined]);
});

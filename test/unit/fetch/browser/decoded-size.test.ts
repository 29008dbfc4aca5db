// Bytes that the browser decompresses itself: all that a page loads, in whatever way, counts towards one limit. A bomb
// as the page itself keeps its process too busy to report: there the memory limit ends it (memory.full.test.ts).
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before } from 'node:test';
import { gzipSync } from 'node:zlib';
import { browserRequest, NEEDS_BROWSER, startEngine } from '../../../support/browser/browser.ts';
import { fullTest, test } from '../../../support/full-run.ts';
import { page, reply, type Site } from '../../../support/web/reply.ts';
import { startWeb, type Web } from '../../../support/web.ts';

const MB = 1024 * 1024;
/** A page may load four times as much as this. */
const MAX_PAGE_BYTES = 4 * MB;
const BOMB = Buffer.alloc(40 * MB, 'boom ');
const packed = (bytes: Uint8Array, encoding = 'gzip', type = 'text/html') =>
  reply(bytes, { type, headers: { 'content-encoding': encoding, 'access-control-allow-origin': '*' } });
const script = (code: string) => reply(page('Page', `<p>Text.</p><script>${code}</script>`));

const site: Site = {
  '/data': packed(gzipSync(BOMB), 'gzip', 'text/plain'),
  '/fetches': script('fetch("/data")'),
  '/repeats': reply(page('Page', Array.from({ length: 6 }, (_, n) => `<script src="/third?${n}"></script>`).join(''))),
  '/third': packed(gzipSync(Buffer.alloc(4 * MB, '/'.repeat(99))), 'gzip', 'text/javascript'),
  '/in-worker': script(
    'new Worker(URL.createObjectURL(new Blob(["fetch(", JSON.stringify(location.origin + "/data"), ")"])))',
  ),
  '/in-frame': reply(() => page('Page', `<iframe src="${web.url('frame.test', '/fetches')}"></iframe>`)),
  // The browser decodes the first member only, which is empty.
  '/members': packed(Buffer.concat([gzipSync(''), gzipSync(randomBytes(30_000).toString('hex'))])),
};
/** As large as pages get, and within the limit. */
const fine: Site = {
  '/small': packed(gzipSync(page('Small', '<p>Small.</p>'))),
  '/blanks': packed(gzipSync(page('Blanks', `${' '.repeat(3 * MB)}<p>Blanks.</p>`))),
  '/noise': packed(gzipSync(page('Noise', `<p>${randomBytes(50_000).toString('base64')}</p>`))),
  '/stored': packed(gzipSync(page('Stored', `<p>${'Stored. '.repeat(50_000)}</p>`), { level: 0 })),
};

let web: Web;
let stage: ReturnType<typeof startEngine>;
before(async () => {
  web = await startWeb({ 'site.test': { ...site, ...fine }, 'frame.test': site });
  stage = startEngine(web, { maxPageBytes: MAX_PAGE_BYTES });
});
after(async () => {
  await stage.stop();
  await web.stop();
});

const load = (path: string) => {
  const request = browserRequest(web.url('site.test', path), { waitFor: 15_000, deadline: Date.now() + 60_000 });
  return stage.engine.fetch(request, AbortSignal.timeout(120_000));
};

for (const path of ['/fetches', '/repeats', '/in-worker', '/in-frame']) {
  test(`a page that decompresses to too much is refused (${path})`, NEEDS_BROWSER, () =>
    assert.rejects(load(path), { code: 'SCRAPE_PAGE_TOO_LARGE' }),
  );
}

test('a page of which the browser decodes only a part is refused', NEEDS_BROWSER, () =>
  assert.rejects(quick('/members'), { code: 'SCRAPE_PAGE_TOO_LARGE', message: /fastMode/ }),
);

const quick = (path: string) =>
  stage.engine.fetch(browserRequest(web.url('site.test', path)), AbortSignal.timeout(60_000));

fullTest('compressed pages within the limits are read', NEEDS_BROWSER, async () => {
  for (const path of Object.keys(fine)) assert.equal((await quick(path)).status, 200, path);
});

// Screenshots and PDFs: what they show, how large they are, and that the page stays unchanged.
import assert from 'node:assert/strict';
import { inflateSync } from 'node:zlib';
import { MAX_PIXELS, MAX_SIDE, printPdf, takeScreenshot } from '../../../../../src/fetch/browser/page/capture.ts';
import { noBrowser, servePages } from '../../../../support/browser/serve-pages.ts';
import { fullTest, test } from '../../../../support/full-run.ts';

const options = { skip: noBrowser };

const band = (color: string, height: string) => `<div style="background: ${color}; height: ${height}"></div>`;
const page = (body: string, head = '') => `<!doctype html><style>body { margin: 0 }</style>${head}<body>${body}`;

const site = servePages({
  '/bands': page(band('red', '400px') + band('lime', '400px') + band('blue', '400px')),
  '/header': page(
    `<div style="position: fixed; top: 0; width: 100%">${band('blue', '50px')}</div>${band('red', '1200px')}`,
  ),
  '/endless': page(band('red', '1000000px')),
  '/wide': page('<div style="background: red; width: 100000px; height: 100px"></div>'),
  '/moving': page(
    '<div id="in"></div><div id="round"></div>',
    `<style>@keyframes in { from { background: red } to { background: lime } }
    @keyframes round { from { background: red } to { background: yellow } }
    #in { height: 50px; animation: in 60s forwards } #round { background: blue; height: 50px; animation: round 2s infinite }</style>`,
  ),
  '/font': page(
    '<p style="font-family: Slow">Text</p>',
    '<style>@font-face { font-family: Slow; src: url(/never.woff2) }</style>',
  ),
  '/many-pages': page('<p style="break-after: page">Page</p>'.repeat(3) + band('red', '50px')),
});

/** Decodes just enough PNG for Chromium's output: 8 bits per channel, not interlaced. */
function readPng(bytes: Uint8Array) {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  assert.equal(data.toString('latin1', 1, 4), 'PNG');
  const parts: Buffer[] = [];
  let channels = 0;
  let width = 0;
  let height = 0;
  for (let at = 8; at < data.length; ) {
    const length = data.readUInt32BE(at);
    const body = data.subarray(at + 8, at + 8 + length);
    const type = data.toString('latin1', at + 4, at + 8);
    if (type === 'IHDR') {
      [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
      channels = body[9] === 6 ? 4 : 3;
    }
    if (type === 'IDAT') parts.push(body);
    at += 12 + length;
  }
  return {
    width,
    height,
    color: (x: number, y: number) => unfilter(inflateSync(Buffer.concat(parts)), width, channels, x, y),
  };
}

function unfilter(raw: Buffer, width: number, channels: number, x: number, y: number): string {
  const stride = width * channels;
  let above = Buffer.alloc(stride);
  for (let row = 0; ; row += 1) {
    const start = row * (stride + 1);
    const line = Buffer.from(raw.subarray(start + 1, start + 1 + stride));
    for (let i = 0; i < stride; i += 1) {
      const left = i >= channels ? line[i - channels]! : 0;
      const corner = i >= channels ? above[i - channels]! : 0;
      line[i] = (line[i]! + predict(raw[start]!, left, above[i]!, corner)) & 255;
    }
    if (row === y) return [...line.subarray(x * channels, x * channels + 3)].join(' ');
    above = line;
  }
}

function predict(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter === 0) return 0;
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

const RED = '255 0 0';
const LIME = '0 255 0';
const BLUE = '0 0 255';
const viewport = { width: 300, height: 500 };

test('a screenshot shows the viewport', options, async () => {
  const opened = await site.open('/bands', { viewport });
  const { bytes, type } = await takeScreenshot(opened, { fullPage: false });
  const png = readPng(bytes);
  assert.equal(type, 'image/png');
  assert.deepEqual([png.width, png.height], [300, 500]);
  assert.deepEqual([png.color(10, 10), png.color(10, 490)], [RED, LIME]);
  await opened.evaluate('scrollTo(0, 600)');
  assert.equal(readPng((await takeScreenshot(opened, { fullPage: false })).bytes).color(10, 490), BLUE);
  await opened.close();
});

test('a full-page screenshot shows the whole page in its layout', options, async () => {
  const opened = await site.open('/bands', { viewport });
  const png = readPng((await takeScreenshot(opened, { fullPage: true })).bytes);
  assert.deepEqual([png.width, png.height], [300, 1200]);
  assert.deepEqual([png.color(10, 10), png.color(10, 600), png.color(290, 1190)], [RED, LIME, BLUE]);
  await opened.close();
});

test('a full-page screenshot starts at the top and leaves the scroll position unchanged', options, async () => {
  const opened = await site.open('/header', { viewport });
  await opened.evaluate('scrollTo(0, 600)');
  const png = readPng((await takeScreenshot(opened, { fullPage: true })).bytes);
  assert.deepEqual([png.color(10, 10), png.color(10, 610)], [BLUE, RED]);
  assert.equal(await opened.evaluate('scrollY'), 600);
  await opened.close();
});

test('a screenshot with a quality is a JPEG', options, async () => {
  const opened = await site.open('/bands', { viewport });
  const { bytes, type } = await takeScreenshot(opened, { fullPage: true, quality: 10 });
  assert.equal(type, 'image/jpeg');
  assert.deepEqual([...bytes.subarray(0, 3)], [0xff, 0xd8, 0xff]);
  await opened.close();
});

test('a viewport applies to the screenshot and is restored afterwards', options, async () => {
  const opened = await site.open('/bands', { viewport });
  const png = readPng((await takeScreenshot(opened, { fullPage: false, viewport: { width: 640, height: 200 } })).bytes);
  assert.deepEqual([png.width, png.height], [640, 200]);
  assert.deepEqual(await opened.evaluate('[innerWidth, innerHeight]'), [300, 500]);
  await opened.close();
});

test('a screenshot of a huge page is limited in size', options, async () => {
  for (const [path, expected] of [
    ['/endless', [300, MAX_SIDE]],
    ['/wide', [MAX_SIDE, 500]],
  ] as const) {
    const opened = await site.open(path, { viewport });
    const png = readPng((await takeScreenshot(opened, { fullPage: true })).bytes);
    assert.deepEqual([png.width, png.height], expected);
    assert.equal(png.color(10, 10), RED);
    await opened.close();
  }
});

fullTest('the size limit counts the device pixels of a phone', options, async () => {
  const phone = { viewport: { width: 412, height: 915 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true };
  const opened = await site.open('/bands', phone);
  const screen = readPng((await takeScreenshot(opened, { fullPage: false })).bytes);
  assert.equal(screen.width, 412 * 3);
  const full = readPng((await takeScreenshot(opened, { fullPage: true })).bytes);
  assert.equal(full.height % 3, 0);
  assert.ok(full.height >= 1200 * 3);
  const large = { width: 4000, height: 4000 };
  const { width, height } = readPng((await takeScreenshot(opened, { fullPage: false, viewport: large })).bytes);
  assert.ok(width * height <= MAX_PIXELS && width <= MAX_SIDE && height <= MAX_SIDE, `${width} x ${height}`);
  await opened.close();
});

test(
  'finite animations are shown at their end, endless ones stopped, and both continue afterwards',
  options,
  async () => {
    const opened = await site.open('/moving', { viewport });
    const png = readPng((await takeScreenshot(opened, { fullPage: false })).bytes);
    assert.deepEqual([png.color(10, 10), png.color(10, 60)], [LIME, BLUE]);
    assert.equal(await opened.evaluate('document.querySelector("#round").getAnimations()[0].playState'), 'running');
    await opened.close();
  },
);

fullTest('a font that never loads does not delay the screenshot', options, async () => {
  const opened = await site.open('/font', { viewport });
  assert.equal((await takeScreenshot(opened, { fullPage: false })).type, 'image/png');
  await opened.close();
});

test('a PDF contains all pages with their background', options, async () => {
  const opened = await site.open('/many-pages');
  const { bytes, type } = await printPdf(opened, { format: 'A5', landscape: false, scale: 1 });
  const text = Buffer.from(bytes).toString('latin1');
  assert.equal(type, 'application/pdf');
  assert.match(text, /^%PDF-/);
  assert.equal(text.match(/\/Type \/Page\b/g)?.length, 4);
  assert.match(text, /\/MediaBox \[0 0 4(19|20)/);
  await opened.close();
});

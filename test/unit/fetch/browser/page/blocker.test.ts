import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBlocker } from '../../../../../src/fetch/browser/page/blocker.ts';

const onNews = createBlocker(new URL('https://news.example/story'));
const blocks = (url: string) => onNews.blocks(new URL(url));

test('listed hosts and their subdomains are blocked, and no others', () => {
  assert.equal(blocks('https://doubleclick.net/x'), true);
  assert.equal(blocks('https://stats.g.doubleclick.net:8443/x'), true);
  assert.equal(blocks('https://notdoubleclick.net/x'), false);
  assert.equal(blocks('https://doubleclick.net.example/x'), false);
  assert.equal(blocks('https://news.example/?from=doubleclick.net'), false);
});

test('single paths are blocked on hosts that serve other things, and some path parts everywhere', () => {
  assert.equal(blocks('https://www.facebook.com/tr/?id=1'), true);
  assert.equal(blocks('https://www.facebook.com/someone'), false);
  assert.equal(blocks('https://news.example/assets/prebid.js'), true);
  assert.equal(blocks('https://news.example/assets/app.js'), false);
});

test('a site that is itself on the list can still be scraped', () => {
  const onHotjar = createBlocker(new URL('https://www.hotjar.com/blog'));
  assert.equal(onHotjar.blocks(new URL('https://static.hotjar.com/app.js')), false);
  assert.equal(onHotjar.blocks(new URL('https://doubleclick.net/x')), true);
});

test('everything that is blocked matches one of the wildcards', () => {
  const texts = onNews.wildcards.map((wildcard) => wildcard.slice(1, -1));
  for (const url of [
    'https://stats.g.doubleclick.net/x',
    'https://www.facebook.com/tr/?id=1',
    'https://a.example/prebid.js',
  ]) {
    assert.equal(blocks(url), true);
    assert.ok(
      texts.some((text) => url.includes(text)),
      url,
    );
  }
});

// Meta refresh redirects, followed as in a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { metaRefreshTarget, refreshTarget } from '../../../src/fetch/meta-refresh.ts';

const base = new URL('https://example.com/a/b');
const inPage = (html: string) => metaRefreshTarget(Buffer.from(html), base)?.href;

test('an immediate refresh is followed', () => {
  assert.equal(inPage('<meta http-equiv="refresh" content="0;url=/c">'), 'https://example.com/c');
  assert.equal(
    inPage('<META CONTENT=\'1; URL="c?x=1&amp;y=2"\' HTTP-EQUIV=Refresh>'),
    'https://example.com/a/c?x=1&y=2',
  );
});

test('a delayed refresh, one to the same page and one without a target are not followed', () => {
  assert.equal(inPage('<meta http-equiv="refresh" content="30;url=/c">'), undefined);
  assert.equal(inPage('<meta http-equiv="refresh" content="0;url=https://example.com/a/b#x">'), undefined);
  assert.equal(inPage('<meta http-equiv="refresh" content="5">'), undefined);
});

test('a refresh inside noscript, a comment or a script is ignored', () => {
  assert.equal(inPage('<noscript><meta http-equiv="refresh" content="0;url=/c"></noscript>'), undefined);
  assert.equal(inPage('<!-- <meta http-equiv="refresh" content="0;url=/c"> -->'), undefined);
  assert.equal(inPage("<script>\"<meta http-equiv='refresh' content='0;url=/c'>\"</script>"), undefined);
});

test('of several, the first one counts', () => {
  const html = '<meta http-equiv=refresh content="0;url=/1"><meta http-equiv=refresh content="0;url=/2">';
  assert.equal(inPage(html), 'https://example.com/1');
});

test('the Refresh header works the same way', () => {
  assert.equal(refreshTarget('0; url=/c', base)?.href, 'https://example.com/c');
  assert.equal(refreshTarget('0, /c', base)?.href, 'https://example.com/c');
  assert.equal(refreshTarget(undefined, base), undefined);
  assert.equal(refreshTarget('x; url=/c', base), undefined);
});

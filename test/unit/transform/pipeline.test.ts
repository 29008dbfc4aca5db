import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TransformFormat, TransformOptions, TransformRequest } from '../../../src/page/page.ts';
import { createExtractor } from '../../../src/transform/main-content/extractor.ts';
import { loadModel } from '../../../src/transform/main-content/model/model.ts';
import { createPipeline } from '../../../src/transform/pipeline.ts';
import { amount } from '../../support/runs.ts';

const request = (
  bytes: Uint8Array,
  contentType: string,
  options: Partial<TransformOptions> = {},
): TransformRequest => ({
  page: { finalUrl: 'https://example.com/p', status: 203, headers: { 'x-a': 'b' }, contentType, bytes },
  options: {
    formats: ['markdown'],
    onlyMainContent: true,
    includeTags: [],
    excludeTags: [],
    removeBase64Images: true,
    blockAds: true,
    ...options,
  },
});
const content = { kind: 'content', reason: '' } as const;
const extract = createExtractor(loadModel());
const run = createPipeline({ judge: () => content, extract });

test('a content key is present exactly when its format was requested, for every content type', () => {
  const formats: TransformFormat[] = ['markdown', 'html', 'rawHtml', 'links', 'images', 'attributes'];
  for (const type of ['text/html', 'application/json', 'text/plain', 'text/csv', 'application/rss+xml']) {
    for (const format of formats) {
      const outcome = run(request(Buffer.from('<rss>a, 1'), type, { formats: [format] }));
      assert.deepEqual(Object.keys(outcome.content), [format], `${format} of ${type}`);
    }
    assert.deepEqual(run(request(Buffer.from('x'), type, { formats: [] })).content, {});
  }
});

test('the judge sees the whole page and its response, and its verdict is passed on', () => {
  const verdict = { kind: 'login-wall', reason: 'It asks for a password.' } as const;
  const judged = createPipeline({
    extract,
    judge: (tree, page) => {
      assert.deepEqual(page, { url: 'https://example.com/p', status: 203, headers: { 'x-a': 'b' } });
      assert.ok(tree.size > 3);
      return verdict;
    },
  });
  assert.equal(judged(request(Buffer.from('<nav>x</nav>'), 'text/html')).verdict, verdict);
  assert.deepEqual(judged(request(Buffer.from('{}'), 'application/json')).verdict, content);
});

test('formats that read the beginning of a page get no more of a very long one, and its own Markdown is whole', () => {
  const page = request(Buffer.from('word '.repeat(1_800_000)), 'text/plain');
  const start = run({ ...page, source: { start: true } });
  const [all, read] = [start.content.markdown!, start.source!.markdown];
  assert.ok(all.length > 8_500_000 && read.length === 8_000_000 && all.startsWith(read));
  assert.equal(run({ ...page, source: {} }).source!.markdown, all);
});

test('bytes are decoded with the charset that the page declares', () => {
  const latin = Buffer.from('<meta charset="iso-8859-1"><p>caf\xe9</p>', 'latin1');
  assert.equal(run(request(latin, 'text/html')).content.markdown, 'café');
  const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('<p>žluť</p>', 'utf16le')]);
  assert.equal(run(request(wide, 'text/html')).content.markdown, 'žluť');
});

test('rawHtml is the decoded source, untouched by any filter', () => {
  const source = '<!DOCTYPE html>\r\n<nav>a</nav><script>b</script><p>c\0</p>';
  const outcome = run(request(Buffer.from(source), 'text/html', { formats: ['rawHtml'], excludeTags: ['p'] }));
  assert.equal(outcome.content.rawHtml, source);
});

test('links and images come from the same filtered content as the HTML', () => {
  const source = Buffer.from(
    '<nav><a href="/n">n</a><img src="/n.png"></nav><main><a href="/m">m</a><img src="/m.png"><i><a href="/x">x</a></i></main>',
  );
  const outcome = run(
    request(source, 'text/html', { formats: ['links', 'images', 'html'], includeTags: ['main'], excludeTags: ['i'] }),
  );
  assert.deepEqual(outcome.content, {
    links: ['https://example.com/m'],
    images: ['https://example.com/m.png'],
    html: '<main><a href="https://example.com/m">m</a><img src="https://example.com/m.png"></main>',
  });
});

test('inline images are removed from Markdown on request, and broken ones cost no time', () => {
  const image = `data:image/png;base64,${'iVBORw0KGgo='.repeat(100)}`;
  const text = `![a [b]](${image}) and ![c](/d.png), ![open](data:image/png x) ![e](${image})`;
  const markdown = (source: string, removeBase64Images: boolean) =>
    run(request(Buffer.from(source), 'text/markdown', { removeBase64Images })).content.markdown;
  assert.equal(markdown(text, false), text);
  assert.equal(markdown(text, true), text.replaceAll(image, '<Base64-Image-Removed>'));
  const broken = '![a](data:image/'.repeat(amount({ short: 30_000, full: 300_000 }));
  assert.equal(markdown(broken, true), broken);
});

test('the same bytes give the same outcome', () => {
  const source = Buffer.from(`<main>${'<p>Some <b>text</b> here.</p>'.repeat(50)}</main><footer>f</footer>`);
  const formats: TransformFormat[] = ['markdown', 'html', 'links'];
  assert.deepEqual(run(request(source, 'text/html', { formats })), run(request(source, 'text/html', { formats })));
});

test('structured data come with the source, for pages and for Markdown, and only if needed', () => {
  const page = request(Buffer.from('<h1>T</h1><dl><dt>Weight</dt><dd>2 kg</dd></dl>'), 'text/html');
  const file = request(Buffer.from('# T\n\n- Weight: 2 kg\n'), 'text/markdown');
  for (const one of [page, file]) {
    assert.deepEqual(run({ ...one, source: { data: true } }).source?.data?.pairs, [{ label: 'Weight', value: '2 kg' }]);
    assert.equal(run({ ...one, source: {} }).source?.data, undefined);
  }
});

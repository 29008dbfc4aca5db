// The HTML made from any Markdown is safe, its formats agree and nothing throws.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type DefaultTreeAdapterMap, parse } from 'parse5';
import type { TransformRequest } from '../../src/page/page.ts';
import { piecesOf } from '../../src/transform/markdown-file/markdown-pieces.ts';
import { createPipeline } from '../../src/transform/pipeline.ts';
import { rescue } from '../../src/transform/rescue.ts';
import { amount, runs, seedOr } from '../support/runs.ts';

const SEED = seedOr(20_310_501);
const unused = () => {
  throw new Error('This test needs neither.');
};
const pipeline = createPipeline({ judge: unused, extract: unused });

const piece = fc.oneof(
  { weight: 3, arbitrary: fc.string({ maxLength: 12 }) },
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      ...[
        '# ',
        '- ',
        '1. ',
        '> ',
        '    ',
        '```',
        '~~~',
        '|',
        '| --- |',
        '\n',
        '\n\n',
        '  \n',
        '*',
        '**',
        '_',
        '~~',
        '`',
      ],
      ...[
        '[',
        ']',
        '](',
        ')',
        '![',
        '[^1]',
        '[^1]: ',
        '[a]: ',
        '$',
        '$$',
        '\\',
        '&lt;',
        '&#106;',
        '<!--',
        '-->',
        '<![CDATA[',
      ],
      ...['javascript:alert(1)', 'JaVaScRiPt:x', 'https://a.test/b', 'data:text/html,x', '- [x] ', '<https://a.test>'],
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...[
        '<script>',
        '</script>',
        '<script src=x>',
        '<b onclick="x()">',
        '<img src=x onerror=y>',
        '<style>',
        '</style>',
      ],
      ...[
        '<a href="javascript:x">',
        '<a href=" java&#115;cript:x">',
        '<details>',
        '</details>',
        '<svg onload=x>',
        '<p title="',
      ],
      ...[
        '<form action="javascript:x">',
        '<template>',
        '<noscript>',
        '<base href="https://evil.test/">',
        '<!doctype html>',
      ],
    ),
  },
);
const markdowns = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));

const requestFor = (markdown: string): TransformRequest => ({
  page: {
    ...{ finalUrl: 'https://example.com/a.pdf', status: 200, headers: {}, contentType: 'application/pdf' },
    ...{ bytes: new Uint8Array(), fetchedAt: 1 },
  },
  options: {
    ...{ formats: ['markdown', 'html', 'rawHtml', 'links', 'images'], onlyMainContent: true, includeTags: [] },
    ...{ excludeTags: [], removeBase64Images: false, blockAds: true },
  },
  index: true,
  parsedFile: { facts: { kind: 'pdf' }, parsed: { body: { markdown }, metadata: {}, warnings: [] } },
});

type Node = DefaultTreeAdapterMap['node'];

function* nodesOf(root: Node): Generator<Node> {
  const open = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    yield node;
    if ('childNodes' in node) open.push(...node.childNodes);
  }
}

/** Parses the HTML as a browser would, with an independent parser. */
function checkSafe(html: string): void {
  for (const node of nodesOf(parse(html))) {
    assert.ok(!['script', 'style', 'base', 'template'].includes(node.nodeName), `<${node.nodeName}> in ${html}`);
    for (const { name, value } of 'attrs' in node ? node.attrs : []) {
      assert.ok(!name.startsWith('on'), `${name} in ${html}`);
      if (['href', 'src', 'action'].includes(name)) assert.doesNotMatch(value, /^\s*(?:java|vb)script:/i);
    }
  }
}

test('HTML made from any Markdown has no scripts, handlers or styles, and the Markdown is returned unchanged', () => {
  fc.assert(
    fc.property(markdowns, (markdown) => {
      const { content, entry, discovered } = pipeline(requestFor(markdown));
      assert.equal(content.markdown, markdown);
      checkSafe(content.html!);
      for (const link of content.links!) assert.match(link, /^(?:https?|mailto):/);
      for (const image of content.images!) assert.match(image, /^https?:/);
      for (const link of discovered.links) assert.match(link, /^https?:[^#]*$/);
      assert.ok(entry && entry.title !== '');
      checkSafe(rescue(requestFor(markdown)).content.html!);
    }),
    { seed: SEED, numRuns: amount({ short: 150, full: 400, long: 8_000 }) },
  );
});

test('the pieces of a text join to the same text, and none is empty or too long', () => {
  const long = fc.array(fc.tuple(piece, fc.constantFrom(1, 20, 5_000)), { maxLength: 40 });
  fc.assert(
    fc.property(long, (parts) => {
      const text = parts.map(([part, times]) => part.repeat(times)).join('');
      const pieces = piecesOf(text);
      assert.equal(pieces.join(''), text);
      assert.ok(pieces.every((part) => part.length > 0 && part.length <= 256_000));
    }),
    { seed: SEED, numRuns: runs(100, 2_000) },
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type DefaultTreeAdapterMap, parse } from 'parse5';
import { type HtmlTree, TEXT } from '../../src/markup/html/html-tree.ts';
import { parseHtml } from '../../src/markup/html/parse-html.ts';
import type { TransformOptions } from '../../src/page/page.ts';
import { createExtractor } from '../../src/transform/main-content/extractor.ts';
import { loadModel } from '../../src/transform/main-content/model/model.ts';
import { createPipeline } from '../../src/transform/pipeline.ts';
import { amount, seedOr } from '../support/runs.ts';

const SEED = seedOr(20_260_203);

// Pieces that meet in any order: tags, halves of tags, references, and markup that browsers handle specially.
const TAGS =
  'html head body title meta base script style noscript template p div span a b i em h1 h2 ul ol li dl dt dd table caption thead ' +
  'tbody tr td th form button select option pre code blockquote br hr img svg path math mi iframe textarea section article nav x-y';
const tag = fc.constantFrom(...TAGS.split(' '));
const attribute = fc.constantFrom(
  '',
  ' href="/a?b=1&amp;c=2"',
  ' class="nav menu"',
  ' src=x.png',
  ' hidden',
  ' style="display:none"',
  ' colspan=3 rowspan=2',
  ' start=3',
  ' srcset="a 1x, b 2x,"',
  ' lang=en',
  ' =',
  ' "',
  " '",
);
const piece = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(tag, attribute).map(([name, attributes]) => `<${name}${attributes}>`) },
  { weight: 4, arbitrary: tag.map((name) => `</${name}>`) },
  { weight: 4, arbitrary: fc.string({ maxLength: 12 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...[
        '\n\n\n',
        ' ',
        '&amp;',
        '&lt;',
        '&#x0;',
        '&nbsp;',
        '<!--',
        '-->',
        '<![CDATA[',
        ']]>',
        '<',
        '>',
        '</',
        '<!doctype html>',
      ],
      ...[
        '\0',
        '\r\n',
        '*',
        '_',
        '`',
        '```',
        '[x](y)',
        '# ',
        '1. ',
        '- ',
        '|',
        '漢字かな',
        'שלום',
        '\ud800',
        '<svg/>',
        '<br/>',
      ],
    ),
  },
);
const soup = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));

const OPTIONS: TransformOptions = {
  formats: ['markdown', 'html', 'rawHtml', 'links', 'images', 'attributes'],
  attributes: [{ selector: 'a', attribute: 'href' }],
  onlyMainContent: false,
  includeTags: [],
  excludeTags: [],
  removeBase64Images: true,
  blockAds: true,
};
const extract = createExtractor(loadModel());
const pipeline = createPipeline({ judge: () => ({ kind: 'content', reason: '' }), extract });
const transform = (html: string, options: Partial<TransformOptions> = {}) =>
  pipeline({
    page: {
      finalUrl: 'https://example.com/a/',
      status: 200,
      headers: {},
      contentType: 'text/html; charset=utf-8',
      bytes: Buffer.from(html),
    },
    options: { ...OPTIONS, ...options },
  });

test(`any mix of tags gives a tree whose ranges nest (seed ${SEED})`, () => {
  fc.assert(
    fc.property(soup, fc.integer({ min: 2, max: 30 }), (html, maxDepth) => checkTree(parseHtml(html, { maxDepth }))),
    { seed: SEED, numRuns: amount({ short: 500, full: 1_500, long: 30_000 }) },
  );
});

function checkTree(tree: HtmlTree): void {
  assert.equal(tree.end[0], tree.size);
  for (let node = 1; node < tree.size; node++) {
    const parent = tree.parent[node]!;
    assert.ok(parent >= 0 && parent < node, 'parents come before their children');
    assert.ok(tree.end[node]! > node && tree.end[node]! <= tree.end[parent]!, 'a child ends within its parent');
    if (tree.kind[node] === TEXT) assert.equal(tree.end[node], node + 1);
    if (tree.parent[node] === tree.parent[node - 1]) assert.ok(tree.end[node - 1]! <= node, 'siblings do not overlap');
  }
}

test(`any mix of tags is converted to every format without an error (seed ${SEED})`, () => {
  fc.assert(
    fc.property(soup, fc.boolean(), (html, onlyMainContent) => {
      const { content } = transform(html, { onlyMainContent });
      assert.equal(typeof content.markdown, 'string');
      assert.ok(!/\n{3}/.test(withoutCode(content.markdown!)), 'no run of blank lines');
      for (const url of [...content.links!, ...content.images!]) assert.ok(URL.canParse(url), url);
      assert.ok(
        !/<(?:script|style|noscript|meta|head)[\s>]/.test(content.html!),
        'no scripts, styles or head in the HTML',
      );
    }),
    { seed: SEED, numRuns: amount({ short: 300, full: 1_000, long: 20_000 }) },
  );
});

const withoutCode = (markdown: string) => markdown.replace(/^[ >\d.)*-]*(`{3,})[^`\n]*\n[\s\S]*?(?:\n[ >]*\1|$)/gm, '');

test(`the HTML format is stable: cleaning it again changes nothing (seed ${SEED})`, () => {
  fc.assert(
    fc.property(wellFormed, (html) => {
      const once = transform(html, { formats: ['html'] }).content.html!;
      assert.equal(transform(once, { formats: ['html'] }).content.html, once);
    }),
    { seed: SEED, numRuns: amount({ short: 100, full: 300, long: 6_000 }) },
  );
});

// Pages that need no repair, which every parser must read alike.
const words = fc
  .array(fc.constantFrom('one', 'two ', ' three', '&amp;', '&lt;b&gt;', '\n', 'é', '漢字'), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => parts.join(''));
const { flow } = fc.letrec<{ inline: string; flow: string }>((tie) => ({
  inline: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    words,
    words.map((text) => `<b>${text}</b>`),
    words.map((text) => `<a href="/x">${text}</a>`),
    words.map((text) => `<code>${text}</code><br>`),
    tie('inline').map((inner) => `<span class="s">${inner}</span>`),
  ),
  flow: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    tie('inline').map((inner) => `<p>${inner}</p>`),
    tie('inline').map((inner) => `<h2>${inner}</h2>`),
    fc.array(tie('flow'), { maxLength: 3 }).map((inner) => `<div>${inner.join('')}</div>`),
    fc.array(tie('flow'), { maxLength: 3 }).map((inner) => `<section>${inner.join('')}</section>`),
    fc
      .array(tie('flow'), { minLength: 1, maxLength: 3 })
      .map((items) => `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`),
    fc
      .array(tie('inline'), { minLength: 1, maxLength: 3 })
      .map((cells) => `<table><tbody><tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr></tbody></table>`),
    tie('flow').map((inner) => `<blockquote>${inner}</blockquote><hr>`),
  ),
}));
const wellFormed = fc
  .array(flow, { minLength: 1, maxLength: 5 })
  .map((blocks) => `<!DOCTYPE html><html><head><title>t &amp; u</title></head><body>${blocks.join('')}</body></html>`);

test(`a well-formed page is read as by the reference parser (seed ${SEED})`, () => {
  fc.assert(
    fc.property(wellFormed, (html) => assert.deepEqual(ownTokens(html), referenceTokens(html))),
    { seed: SEED, numRuns: amount({ short: 200, full: 500, long: 10_000 }) },
  );
});

function ownTokens(html: string): string[] {
  const tree = parseHtml(html);
  const tokens: string[] = [];
  for (let node = 1; node < tree.size; node++) {
    if (tree.kind[node] === TEXT) tokens.push(JSON.stringify(tree.text(node)));
    else tokens.push(JSON.stringify([tree.tagName(node), ...tree.attributes(node)]));
  }
  return tokens;
}

function referenceTokens(html: string): string[] {
  const tokens: string[] = [];
  const visit = (node: DefaultTreeAdapterMap['node']) => {
    if (node.nodeName === '#text' && 'value' in node) tokens.push(JSON.stringify(node.value));
    else if ('tagName' in node) {
      tokens.push(JSON.stringify([node.tagName, ...node.attrs.map(({ name, value }) => [name, value])]));
    }
    if ('childNodes' in node) node.childNodes.forEach(visit);
  };
  visit(parse(html));
  return tokens;
}

// One tag or one raw text in any spelling: our reader must agree with the reference exactly.
const spelling = fc
  .array(
    fc.constantFrom(
      ...[
        'a',
        'B',
        'data-x',
        '=',
        '==',
        '"',
        "'",
        ' ',
        '\n',
        '\t',
        '/',
        '1',
        '&amp;',
        '&lt',
        '&copy=1',
        'é',
        '漢',
        '<',
        '-',
        '?',
      ],
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));
const tagSource = fc
  .tuple(fc.constantFrom('p', 'Div', 'x-Y', 'b'), spelling)
  .map(([name, rest]) => `<head></head><body><${name} ${rest}>t`);
const rawText = fc
  .tuple(
    fc.constantFrom('script', 'STYLE', 'title', 'textarea', 'iframe', 'xmp', 'noframes'),
    fc.array(
      fc.constantFrom(
        '<b>',
        '</',
        '</p>',
        '</script',
        '</style >',
        '</TITLE/>',
        '</textarea x>',
        '<!--',
        '-->',
        '&lt;',
        'x',
        '\n',
      ),
      {
        maxLength: 8,
      },
    ),
  )
  // No "<!--<script": the reference reads it in a script as an escape, which no page needs.
  .map(([name, parts]) => `<head></head><body>1<${name}>y${parts.join('')}</${name}>z<i>`);
const comment = fc
  .array(
    fc.constantFrom('<!--', '-->', '<!-->', '<!--->', '<!x>', '<?y>', '</ z>', '</>', '<!doctype a>', 'q', '-', '<b>'),
    { maxLength: 8 },
  )
  .map((parts) => `<head></head><body>1${parts.join('')}2`);

for (const [what, source] of [
  ['tags and attributes', tagSource],
  ['raw text', rawText],
  ['comments', comment],
] as const) {
  test(`${what} are read as by the reference parser, however they are spelled (seed ${SEED})`, () => {
    fc.assert(
      fc.property(source, (html) => assert.deepEqual(merged(ownTokens(html)), merged(referenceTokens(html)))),
      { seed: SEED, numRuns: amount({ short: 500, full: 2_000, long: 40_000 }) },
    );
  });
}

/** Joins neighbouring texts: whether a comment separated them does not matter here. */
function merged(tokens: string[]): string[] {
  const out: string[] = [];
  for (const token of tokens) {
    const last = out.at(-1);
    if (token.startsWith('"') && last?.startsWith('"'))
      out[out.length - 1] = JSON.stringify(JSON.parse(last) + JSON.parse(token));
    else out.push(token);
  }
  return out;
}

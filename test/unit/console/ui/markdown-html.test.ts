// Markdown of hostile pages: no HTML of theirs, no script, no image and no link but to the web gets through.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_MARKDOWN, MAX_MARKDOWN_LINES, markdownHtml } from '../../../../web/console/ui/text/markdown-html.ts';

const html = (markdown: string) => markdownHtml(markdown).html;

const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  'text <b onclick="alert(1)">bold</b>',
  '[go](javascript:alert(1))',
  '[go](JaVaScRiPt:alert(1))',
  '[go](java\tscript:alert(1))',
  '[go](&#106;avascript:alert(1))',
  '[go](data:text/html,<script>alert(1)</script>)',
  '[go](vbscript:x)',
  '[go](//evil.example/x)',
  '[go](/v2/team/keys)',
  '<javascript:alert(1)>',
  '![pic](javascript:alert(1))',
  '![pic](https://evil.example/track.png)',
  '![" onerror="alert(1)](https://evil.example/x.png)',
  '[![pic](https://evil.example/a.png)](javascript:alert(1))',
  '[x]: javascript:alert(1)\n\n[x]',
  '[a](https://ok.example/"onmouseover="alert(1))',
  '```html\n<script>alert(1)</script>\n```',
  '`<img src=x onerror=alert(1)>`',
  '| <script> | a |\n|---|---|\n| <iframe src=//x> | b |',
  '# <svg onload=alert(1)>',
  '<!-- --><script>alert(1)</script>',
];

for (const markdown of HOSTILE) {
  test(`nothing of ${JSON.stringify(markdown)} becomes active`, () => {
    const made = html(markdown);
    assert.doesNotMatch(made, /<(?:script|img|iframe|svg|object|embed|link|meta|style|form)\b/i);
    for (const [tag] of made.matchAll(/<[^>]*>/g)) {
      assert.doesNotMatch(tag, /\son\w+=/i, tag);
      assert.doesNotMatch(tag, /javascript:|vbscript:|data:/i, tag);
    }
    for (const [, target] of made.matchAll(/href="([^"]*)"/g)) assert.match(target!, /^https?:\/\//);
    for (const [, rest] of made.matchAll(/<a ([^>]*)>/g)) {
      assert.match(rest!, /rel="noopener noreferrer"/);
      assert.match(rest!, /target="_blank"/);
    }
  });
}

test('ordinary Markdown looks as it should', () => {
  const made = html(
    '# Tea\n\nA [link](https://a.example/x) and **bold**.\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |',
  );
  assert.match(made, /<h3 class="markdown-h1">Tea<\/h3>/);
  assert.match(made, /<a href="https:\/\/a\.example\/x" /);
  assert.match(made, /<strong>bold<\/strong>/);
  assert.match(made, /<div class="markdown-table"><table>/);
});

test('a table without a head has none', () => {
  assert.match(html('|  |  |\n|---|---|\n| 1 | 2 |'), /<thead hidden="">/);
  assert.doesNotMatch(html('| a |  |\n|---|---|\n| 1 | 2 |'), /hidden/);
});

test('headings never skip a level, whatever the page does', () => {
  const levels = [...html('#### deep\n\n# top\n\n###### deepest\n\n## second').matchAll(/<h(\d)/g)].map(([, n]) => n);
  assert.deepEqual(levels, ['3', '3', '4', '4']);
});

test('an image is a chip with its text and a link, and in a link it is only text', () => {
  assert.match(
    html('![A boat](https://a.example/boat.png)'),
    /class="markdown-image" href="https:\/\/a\.example\/boat\.png"/,
  );
  const linked = html('[![A boat](https://a.example/boat.png)](https://a.example/)');
  assert.equal([...linked.matchAll(/<a /g)].length, 1);
});

test('large, long and nested texts are cut, and say so', () => {
  const endings = {
    megabytes: '# a\n\nword word word\n\n'.repeat(250_000),
    line: 'x'.repeat(1_000_000),
    lines: 'a\n'.repeat(50_000),
    brackets: '['.repeat(1_000_000),
    quotes: `${'>'.repeat(100_000)} a`,
    emphasis: '*a **b '.repeat(100_000),
    ticks: Array.from({ length: 3_000 }, (_, at) => '`'.repeat(at % 900)).join(' '),
    links: '[a](b '.repeat(100_000),
  };
  for (const [name, text] of Object.entries(endings)) {
    const { html: made, wholeLength } = markdownHtml(text);
    assert.equal(
      wholeLength !== undefined,
      text.length > MAX_MARKDOWN || text.split('\n').length > MAX_MARKDOWN_LINES,
      name,
    );
    assert.ok(made.length < 30 * MAX_MARKDOWN, name);
  }
});

test('characters that reverse what follows are shown in tooltips and image texts', () => {
  assert.match(html('![gpj.\u202eexe](https://a.example/x)'), /gpj\.\\u202eexe/);
});

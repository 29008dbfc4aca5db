// Rules that make Markdown parse back into the same page. `npm run bench -- commonmark` reads the whole
// specification back.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyMask, keep } from '../../../../src/markup/html/node-mask.ts';
import { createPageUrls } from '../../../../src/markup/html/page-urls.ts';
import { parseHtml } from '../../../../src/markup/html/parse-html.ts';
import { toMarkdown } from '../../../../src/transform/markdown/markdown.ts';

function markdown(html: string): string {
  const tree = parseHtml(html);
  const mask = emptyMask(tree);
  keep(mask, tree, 0);
  return toMarkdown({ tree, mask, urls: createPageUrls(tree, 'https://a.example/'), removeBase64Images: true });
}

function examples(behaviour: string, cases: [html: string, expected: string][]): void {
  test(behaviour, () => {
    for (const [html, expected] of cases) assert.equal(markdown(html), expected, html);
  });
}

examples('emphasis uses stars where they can open and close, and tags elsewhere', [
  ['<em>a</em>', '*a*'],
  ['x<strong>y</strong>z', 'x**y**z'],
  ['x<strong>(y)</strong>z', 'x<strong>(y)</strong>z'],
  ['x<strong>(y)</strong> z', 'x<strong>(y)</strong> z'],
  ['x <strong>(y)</strong> z', 'x **(y)** z'],
  ['他<strong>“说”</strong>了', '他<strong>“说”</strong>了'],
  ['他<strong>说</strong>了', '他**说**了'],
  ['<em>😀</em>a', '<em>😀</em>a'],
  ['x<del>.</del>y', 'x<del>.</del>y'],
  ['<p>By <cite>"A"</cite>s</p>', 'By "A"s'],
]);

examples('nested and adjacent emphasis is preserved', [
  ['<em><strong>a</strong></em>', '***a***'],
  ['<strong><em>a</em></strong>', '**_a_**'],
  ['<strong><em>a</em> b</strong>', '***a* b**'],
  ['<em>a</em><strong>b</strong>', '*a***b**'],
  ['<em>a <em>b</em> c</em>', '*a _b_ c*'],
  ['<strong>a <em>b <strong>c</strong></em></strong>', '**a *b __c__***'],
  ['<b>a <strong>b</strong></b>', '**a b**'],
  ['<b>a</b><b>b</b>', '**ab**'],
  ['<b>a</b> <b>b</b>', '**a** **b**'],
  ['<em>a <a href="/x"><em>b</em></a></em>', '*a [_b_](https://a.example/x)*'],
]);

examples('spaces move out of emphasis, and empty emphasis disappears', [
  ['a<b> b </b>c', 'a **b** c'],
  ['a<b> </b>b', 'a b'],
  ['a<i></i>b<b><i></i></b>', 'ab'],
  ['<b>a<br></b>b', '**a**  \nb'],
  ['<a href="/x"> a </a>b', '[a](https://a.example/x) b'],
  ['<a href="/x"><span> </span></a>b', 'b'],
]);

examples('code keeps its text unescaped', [
  ['<code>a</code>', '`a`'],
  ['<code>`</code>', '`` ` ``'],
  ['<code>a``b</code>', '```a``b```'],
  ['<code>*a* &amp;amp; \\</code>', '`*a* &amp; \\`'],
  ['<code> a </code>', '`a`'],
  ['<code>a  b</code>', '`a  b`'],
  ['<code>a\n  b</code>', '`a b`'],
  ['<code>npm&nbsp;test</code>', '`npm test`'],
  ['<pre><code>\n\na\n\n</code></pre>', '```\n\na\n\n```'],
  ['<pre>\n\na\n\n</pre>', '```\na\n```'],
  ['<p><a href="/x"></a></p><div><a href="/y"></a></div>', '[](https://a.example/x)'],
  ['<code>a </code>b', '`a `b'],
  ['x<code> </code>y', 'x` `y'],
  ['<code>a</code><code>b</code>', '`ab`'],
  ['<pre><code>a  \n\n  b\n</code></pre>', '```\na  \n\n  b\n```'],
  ['<pre>```</pre>', '````\n```\n````'],
  ['<pre><code class="language-föö"></code></pre>', '```föö\n```'],
]);

examples('text is escaped only where it would be syntax', [
  ['a*b', 'a\\*b'],
  ['a * b', 'a * b'],
  ['a_b _c_', 'a_b \\_c\\_'],
  ['[a](b) [c] [d]: e [^f]', '[a\\](b) [c] [d\\]: e \\[^f]'],
  ['&amp;amp; &amp; &lt;b> &lt; 5', '\\&amp; & \\<b> < 5'],
  ['a\\b \\* \\', 'a\\b \\\\\\* \\'],
  ['\\<b>x</b>', '\\\\**x**'],
  ['a!<a href="/x">b</a>', 'a\\![b](https://a.example/x)'],
  ['<p># a</p><p>#a</p><p>1. a</p><p>1.a</p><p>- a</p><p>-a</p>', '\\# a\n\n#a\n\n1\\. a\n\n1.a\n\n\\- a\n\n-a'],
  ['a<br>---<br>> b', 'a  \n\\---  \n\\> b'],
  ['<h2>a #</h2><h2>C#</h2>', '## a \\#\n\n## C#'],
]);

examples('links and images are delimited safely', [
  ['<a href="/a_(b)">x</a>', '[x](https://a.example/a_(b))'],
  ['<a href="/a(b">x</a>', '[x](<https://a.example/a(b>)'],
  ['<a href="/?a=\\*&amp;amp;b">x</a>', '[x](https://a.example/?a=%5C*&amp;amp;b)'],
  ['<a href="/" title="say &quot;a&quot;">x</a>', '[x](https://a.example/ "say \\"a\\"")'],
  ['<a href="/">[x]</a>', '[\\[x\\]](https://a.example/)'],
  ['<img src="/i" alt="a\\">', '![a\\\\](https://a.example/i)'],
  ['<a href="/"><img src="/i" alt="[a]"></a>', '[![\\[a\\]](https://a.example/i)](https://a.example/)'],
]);

examples('lists stay tight or loose', [
  ['<ul><li>a</li><li>b</li></ul>', '- a\n- b'],
  ['<ul><li><p>a</p></li><li><p>b</p></li></ul>', '- a\n\n- b'],
  ['<ul><li>a<ul><li>b</li></ul></li></ul>', '- a\n  - b'],
  ['<ol><li>a<ol start="2"><li>b</li></ol></li></ol>', '1. a\n\n   2. b'],
  ['<ul><li>a<blockquote><p>b</p></blockquote></li><li>c</li></ul>', '- a\n  > b\n- c'],
  ['<ul><li><h2>a</h2>b</li></ul>', '- ## a\n  b'],
  ['<ul><li><pre><code>a</code></pre></li></ul>', '- ```\n  a\n  ```'],
  ['<ul><li><hr></li></ul>', '- ___'],
  ['<ul><li>a</li><li></li><li>b</li></ul>', '- a\n-\n- b'],
  ['<ul><li>a</li><li>b</li></ul><ul><li>c</li><li>d</li></ul><ul><li>e</li></ul>', '- a\n- b\n\n* c\n* d\n\n- e'],
  ['<ol><li>a</li></ol><ol><li>b</li></ol>', '1. a\n\n1) b'],
  ['<ul><li>a</li></ul><p>b</p><ul><li>c</li></ul>', '- a\n\nb\n\n- c'],
  ['<ol start="10"><li><p>a</p><p>b</p></li></ol>', '10. a\n\n    b'],
]);

examples('quotes keep their blocks together', [
  ['<blockquote><p>a</p><p>b</p></blockquote>', '> a\n>\n> b'],
  ['<blockquote><ul><li>a</li></ul></blockquote>', '> - a'],
  ['<blockquote><p>a</p></blockquote><blockquote><p>b</p></blockquote>', '> a\n\n> b'],
  ['<ul><li><blockquote>a</blockquote></li></ul>', '- > a'],
]);

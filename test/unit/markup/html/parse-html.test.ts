import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ELEMENT, type HtmlTree, TEXT } from '../../../../src/markup/html/html-tree.ts';
import { parseHtml } from '../../../../src/markup/html/parse-html.ts';

/** The tree as nested brackets: `p(text b(text))`. */
function outline(tree: HtmlTree, node = 0): string {
  const parts: string[] = [];
  for (let child = node + 1; child < tree.end[node]!; child = tree.end[child]!) {
    const inner = outline(tree, child);
    if (tree.kind[child] === TEXT) parts.push(JSON.stringify(tree.text(child)));
    else parts.push(inner === '' ? tree.tagName(child) : `${tree.tagName(child)}(${inner})`);
  }
  return parts.join(' ');
}

const body = (html: string) => {
  const tree = parseHtml(html);
  return outline(tree, find(tree, 'body'));
};
const find = (tree: HtmlTree, name: string) => {
  for (let node = 1; node < tree.size; node++) if (tree.tagName(node) === name) return node;
  throw new Error(`no ${name}`);
};

test('html, head and body exist once, whether written, repeated or left out', () => {
  assert.equal(outline(parseHtml('text')), 'html(body("text"))');
  assert.equal(outline(parseHtml('<title>t</title>x')), 'html(head(title("t")) body("x"))');
  assert.equal(
    outline(parseHtml('<html><head></head><body>a<html><body>b</body></html>c')),
    'html(head body("a" "b" "c"))',
  );
  const late = parseHtml('Warning<html lang="fr"><body class="k">text');
  assert.equal(late.attribute(find(late, 'html'), 'lang'), 'fr');
  assert.equal(late.attribute(find(late, 'body'), 'class'), 'k');
});

test('a tracking pixel in the head does not end the head', () => {
  const tree = parseHtml('<head><noscript><img src=x></noscript><meta name=a></head><p>b');
  assert.equal(outline(tree), 'html(head(noscript(img) meta) body(p("b")))');
});

test('implied end tags follow the specification', () => {
  assert.equal(body('<p>a<div>b</div>c'), 'p("a") div("b") "c"');
  assert.equal(body('<ul><li>a<b>x<li>b</ul>'), 'ul(li("a" b("x")) li("b"))');
  assert.equal(body('<ul><li>a<ul><li>b</ul>c<li>d</ul>'), 'ul(li("a" ul(li("b")) "c") li("d"))');
  assert.equal(body('<dl><dt>a<dd>b<dt>c</dl>'), 'dl(dt("a") dd("b") dt("c"))');
  assert.equal(body('<select><option>a<option>b</select>'), 'select(option("a") option("b"))');
  assert.equal(body('a</p>b</br>c'), '"a" p "b" br "c"');
});

test('rows and cells get the table parts that the page left out', () => {
  assert.equal(body('<table><td>1<td>2<tr><td>3</table>x'), 'table(tbody(tr(td("1") td("2")) tr(td("3")))) "x"');
  assert.equal(body('<table><tr><td><div></td></div><td>b</table>'), 'table(tbody(tr(td(div) td("b"))))');
  assert.equal(
    body('<table><tr><td><table><tr><td>in</table>out</table>'),
    'table(tbody(tr(td(table(tbody(tr(td("in")))) "out"))))',
  );
});

test('an inline end tag that cuts through blocks leaves them open without the formatting', () => {
  assert.equal(body('<a href=x><div>a</a>b</div>c'), 'a(div("a")) div("b") "c"');
  assert.equal(body('<div><form><p>a</form>b</p></div>c'), 'div(form(p("a" "b"))) "c"');
});

test('an unclosed svg does not swallow the page', () => {
  assert.equal(body('<svg><g><path/><title>t</title><p>x'), 'svg(g(path title("t"))) p("x")');
});

test('the text of a script is a child of its element', () => {
  const tree = parseHtml('<script type="application/ld+json">{"a":"</p><b>"}</script>');
  const script = find(tree, 'script');
  assert.equal(tree.text(script + 1), '{"a":"</p><b>"}');
  assert.equal(tree.attribute(script, 'type'), 'application/ld+json');
});

test('attribute names are lower-cased, values are decoded, and the first of two wins', () => {
  const tree = parseHtml('<a HREF="?a=1&amp;b=2" href="no" checked title=\'x&quot;\' data-n=5>t</a>');
  const link = find(tree, 'a');
  assert.deepEqual(
    [...tree.attributes(link)],
    [
      ['href', '?a=1&b=2'],
      ['checked', ''],
      ['title', 'x"'],
      ['data-n', '5'],
    ],
  );
  assert.equal(tree.attribute(link, 'missing'), undefined);
  assert.equal(tree.attribute(link + 1, 'href'), undefined);
});

test('character references in text are decoded, and the first line break in pre is dropped', () => {
  assert.equal(body('a &lt; b &eacute;&#8212;&nbsp;'), '"a < b é—\u00a0"');
  assert.equal(body('<pre>\n\n&#10;x</pre>'), 'pre("\\n\\nx")');
  assert.equal(body('a\r\nb\0c'), '"a\\nbc"');
});

test('elements deeper than the limit become siblings, and the tree says so', () => {
  const tree = parseHtml(`${'<div>'.repeat(20)}text`, { maxDepth: 10 });
  assert.equal(tree.truncated, true);
  for (let node = 1; node < tree.size; node++) {
    let depth = 0;
    for (let above = tree.parent[node]!; above > 0; above = tree.parent[above]!) depth += 1;
    assert.ok(depth <= 10);
  }
  assert.equal(tree.text(tree.size - 1), 'text');
  assert.equal(parseHtml('<div>'.repeat(5)).truncated, false);
});

test('a page with too many nodes is truncated, and the tree says so', () => {
  const tree = parseHtml('<p>x</p>'.repeat(1000), { maxNodes: 100 });
  assert.equal(tree.truncated, true);
  assert.ok(tree.size <= 110, String(tree.size));
  assert.equal(tree.kind[tree.size - 1] === ELEMENT || tree.kind[tree.size - 1] === TEXT, true);
});

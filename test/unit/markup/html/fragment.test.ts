// Foreign HTML becomes a balanced fragment that loads nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodyFragment, type FragmentRules } from '../../../../src/markup/html/fragment.ts';

const html: FragmentRules = {
  xml: false,
  link: (href) => href,
  picture: (src) => (src.startsWith('data:') ? src : undefined),
  anchorName: (name) => `x-${name}`,
};
const xml: FragmentRules = { ...html, xml: true };

const CASES: [what: string, source: string, rules: FragmentRules, expected: string][] = [
  ['open elements are closed', '<div><p>a <b>c', html, '<div><p>a <b>c</b></p></div>'],
  ['end tags without a start are dropped', 'a</div></p>b', html, 'ab'],
  [
    'paragraphs and list items end at the next one',
    '<ul><li>a<li>b</ul><p>c<p>d',
    html,
    '<ul><li>a</li><li>b</li></ul><p>c</p><p>d</p>',
  ],
  [
    'table cells and rows end at the next one',
    '<table><tr><td>a<td>b<tr><td>c</table>',
    html,
    '<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>',
  ],
  [
    'an end tag in a cell does not close elements outside it',
    '<div><table><tr><td>a</div>b</td></tr></table>c</div>',
    html,
    '<div><table><tr><td>ab</td></tr></table>c</div>',
  ],
  [
    'only the body is kept',
    '<!doctype html><html><head><title>t</title><style>p{}</style></head><body class="x">b</body></html>',
    html,
    'b',
  ],
  [
    'scripts, comments and event handlers are removed',
    '<p onclick="x()">a<script>if (a<b) {}</script><!-- no --></p>',
    html,
    '<p>a</p>',
  ],
  [
    'attributes that load something are removed',
    '<iframe src="http://a/"></iframe><video poster="p" src="v"></video><base href="http://a/">',
    html,
    '<iframe></iframe><video></video>',
  ],
  [
    'a picture that is not shown is replaced with its description',
    '<img src="http://a/x.png" alt="a &amp; b">',
    html,
    'a &amp; b',
  ],
  [
    'a picture that is shown stays',
    '<img src="data:image/png;base64,AA" alt=x>',
    html,
    '<img src="data:image/png;base64,AA" alt="x">',
  ],
  [
    'attribute values are decoded and escaped again',
    '<a href=\'?a=1&amp;b="2"\'>l</a>',
    html,
    '<a href="?a=1&amp;b=&quot;2&quot;">l</a>',
  ],
  ['names of anchors are rewritten', '<p id="n"><a name=m>a</a></p>', html, '<p id="x-n"><a name="x-m">a</a></p>'],
  ['elements of office programs are reduced to their text', '<p>a<o:p>&nbsp;</o:p></p>', html, '<p>a&nbsp;</p>'],
  [
    'in XML an empty element is closed',
    '<title/><a id="p"/><p>a</p><script src="x"/><p>b</p>',
    xml,
    '<a id="x-p"></a><p>a</p><p>b</p>',
  ],
  ['in XML a prefix is not part of the name', '<h:p>a</h:p>', xml, '<p>a</p>'],
  ['a truncated tag is dropped', '<p>a<b', html, '<p>a</p>'],
  ['a truncated processing instruction is dropped', '<p>a</p><?<script>b', xml, '<p>a</p>'],
  ['CDATA sections are text', '<p><![CDATA[1 < 2]]></p>', xml, '<p>1 &lt; 2</p>'],
];

for (const [what, source, rules, expected] of CASES) {
  test(what, () => assert.equal(bodyFragment(source, rules), expected));
}

test('note references are reported as marks', () => {
  const seen: [string, boolean][] = [];
  const rules: FragmentRules = { ...xml, link: (href, isMark) => void seen.push([href, isMark]) };
  bodyFragment('<a href="1">a</a><sup><a href="2">b</a></sup><a href="3" epub:type="noteref">c</a>', rules);
  assert.deepEqual(seen, [
    ['1', false],
    ['2', true],
    ['3', true],
  ]);
});

test('elements nested too deeply lose their tags and keep their text', () => {
  const result = bodyFragment(`${'<div>'.repeat(5000)}deep${'</div>'.repeat(5000)}<p>after</p>`, html);
  assert.equal(result, `${'<div>'.repeat(400)}deep${'</div>'.repeat(400)}<p>after</p>`);
});

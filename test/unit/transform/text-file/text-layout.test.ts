// CSV with unknown separators, and XML without line breaks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvMarkdown } from '../../../../src/transform/text-file/csv-table.ts';
import { layOutXml } from '../../../../src/transform/text-file/xml-layout.ts';

const SEPARATED: [what: string, source: string, head: string][] = [
  ['commas', 'a,b\n1,2\n', '| a | b |'],
  ['tabs, with a comma in each heading', 'a, x\tb, y\n1\t2\n', '| a, x | b, y |'],
  ['semicolons, with decimal commas', 'a;b;c\n1,5;2,5;3,5\n', '| a | b | c |'],
  ['rows of different lengths', 'a;b;c\n1;2\n', '| a | b | c |'],
  ['one column', 'a\nb\n', '| a |'],
];

for (const [what, source, head] of SEPARATED) {
  test(`a table is split by ${what}`, () => assert.equal(csvMarkdown(source).markdown.split('\n')[0], head));
}

test('Markdown and HTML in cells are escaped', () => {
  const { markdown } = csvMarkdown('a,b\n<script>x</script>,*b* | snake_case\n');
  assert.equal(markdown.split('\n')[2], '| \\<script>x\\</script> | \\*b\\* \\| snake_case |');
});

test('XML on one line gets one line per element', () => {
  const source = `<?xml version="1.0"?><a><!-- <x> --><b id="1"><c>x &amp; y</c><d/></b><e><![CDATA[<f>]]></e>${'<g>z</g>'.repeat(40)}</a>`;
  const expected = [
    '<?xml version="1.0"?>',
    '<a>',
    '  <!-- <x> -->',
    '  <b id="1">',
    '    <c>x &amp; y</c>',
    '    <d/>',
    '  </b>',
    '  <e><![CDATA[<f>]]></e>',
    ...Array.from({ length: 40 }, () => '  <g>z</g>'),
    '</a>',
  ];
  assert.equal(layOutXml(source), expected.join('\n'));
});

test('XML with line breaks keeps them', () => {
  const source = '<a>\n <b/>\n      <c/>\n</a>';
  assert.equal(layOutXml(source), source);
});

test('invalid XML gives bounded output', () => {
  for (const piece of ['<a>', '<', '<!--', '</a>', '<![CDATA[']) {
    assert.ok(layOutXml(piece.repeat(50_000)).length < 5_000_000, piece);
  }
});

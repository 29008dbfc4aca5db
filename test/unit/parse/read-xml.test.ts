import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escapeHtml } from '../../../src/markup/html/escape-html.ts';
import { XML_LIMITS } from '../../../src/markup/xml/parse-xml.ts';
import { find, findAll, textOf } from '../../../src/markup/xml/xml-tree.ts';
import { readXml } from '../../../src/parse/read-xml.ts';

const isCode = (code: string) => (error: Error & { code?: string }) => error.code === code;

test('a tree keeps names as written, attributes, and text between elements', () => {
  const root = readXml('<?xml version="1.0"?><w:a x="1" w:y="&lt;2&gt;">one<b/>two<![CDATA[<3>]]></w:a>');
  assert.deepEqual(root, {
    name: 'w:a',
    attributes: { x: '1', 'w:y': '<2>' },
    children: ['one', { name: 'b', attributes: {}, children: [] }, 'two', '<3>'],
  });
});

test('elements are found by local name, in document order', () => {
  const root = readXml('<r><w:p>1<w:p>2</w:p></w:p><p>3</p><w:pPr>4</w:pPr></r>');
  assert.equal(textOf(find(root, 'p')!), '12');
  assert.deepEqual(findAll(root, 'p').map(textOf), ['12', '2', '3']);
  assert.equal(find(root, 'q'), undefined);
  assert.equal(textOf(root), '1234');
});

test('the declared encoding of a file is used', () => {
  assert.equal(textOf(readXml(Buffer.from('<a>\u00e9</a>'))), '\u00e9');
  assert.equal(
    textOf(readXml(Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>\u00e9</a>', 'latin1'))),
    '\u00e9',
  );
  assert.equal(
    textOf(readXml(Buffer.from('\ufeff<?xml version="1.0" encoding="UTF-16"?><a>\u00e9</a>', 'utf16le'))),
    '\u00e9',
  );
});

test('declared entities are never expanded', () => {
  const doctype = '<!DOCTYPE a [<!ENTITY x "boom"><!ENTITY f SYSTEM "file:///etc/passwd">]>';
  assert.equal(textOf(readXml(`${doctype}<a>&x; &f; &amp; &#65;</a>`)), '&x; &f; & A');
});

test('small errors are tolerated', () => {
  assert.equal(textOf(readXml('\n<a>b & c<d>e</a>')), 'b & ce');
  assert.equal(textOf(readXml('<a>x\u0001y</a>')), 'xy');
});

test('a file that is not XML is reported as damaged', () => {
  for (const text of ['', 'words', '\0\0\0', `<a>${'</b>'.repeat(XML_LIMITS.faults + 1)}`]) {
    assert.throws(() => readXml(text), isCode('DOCUMENT_DAMAGED'), text.slice(0, 20));
  }
});

test('nesting depth and number of nodes are bounded', () => {
  const nested = (depth: number) => '<a>'.repeat(depth) + '</a>'.repeat(depth);
  assert.doesNotThrow(() => readXml(nested(XML_LIMITS.depth)));
  assert.throws(() => readXml(nested(XML_LIMITS.depth + 1)), isCode('DOCUMENT_TOO_COMPLEX'));
  assert.throws(() => readXml(`<r>${'<a/>'.repeat(XML_LIMITS.nodes)}</r>`), isCode('DOCUMENT_TOO_COMPLEX'));
});

test('text is escaped for HTML', () => {
  assert.equal(escapeHtml('<a href="x">&amp;\''), "&lt;a href=&quot;x&quot;&gt;&amp;amp;'");
});

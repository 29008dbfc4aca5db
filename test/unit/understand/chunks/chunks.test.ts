// The chunks of a page: where it is divided, what stands in each, and which ids they have.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chunk as chunkSchema } from '../../../../src/contracts/formats/chunk.ts';
import { makeChunks } from '../../../../src/understand/chunks/make-chunks.ts';
import { scanBlocks } from '../../../../src/understand/chunks/scan-blocks.ts';

const ADDRESS = 'https://example.com/page';
const limits = (maxTokens: number, overlap = 0) => ({ maxTokens, overlap });
const chunksOf = (markdown: string, maxTokens = 60, overlap = 0) =>
  makeChunks({ url: ADDRESS, title: 'Guide', markdown }, limits(maxTokens, overlap));
const kindsOf = (markdown: string) => scanBlocks(markdown).map(({ kind }) => kind);
const prose = (topic: string, sentences: number) =>
  Array.from({ length: sentences }, (_, at) => `Sentence ${at + 1} says something about ${topic}.`).join(' ');

test('a short page is one chunk with all of its headings in the text', () => {
  const markdown = '# Guide\n\nHello.\n\n## Use\n\nPress the button.\n';
  const chunks = chunksOf(markdown);
  assert.deepEqual(
    chunks.map(({ id: _, ...chunk }) => chunk),
    [
      {
        headings: ['Guide'],
        context: 'Guide',
        text: markdown.trimEnd(),
        tokens: 12,
        start: 0,
        end: markdown.length,
      },
    ],
  );
  assert.deepEqual(chunkSchema.parse(chunks[0]), chunks[0]);
});

test('a page without text has no chunks', () => {
  assert.deepEqual(chunksOf(''), []);
  assert.deepEqual(chunksOf(' \n\n'), []);
});

test('sections that can stand by themselves are chunks of their own, below the headings above them', () => {
  const markdown = `# Lamp\n\n${prose('lamps', 3)}\n\n## *Care* of [it](https://a.test/)\n\n${prose('care', 3)}\n\n### Oil\\*\n\n${prose('oil', 3)}\n`;
  const chunks = chunksOf(markdown);
  assert.deepEqual(
    chunks.map(({ headings, context }) => [headings, context]),
    [
      [['Lamp'], 'Guide > Lamp'],
      [['Lamp', 'Care of it'], 'Guide > Lamp > Care of it'],
      [['Lamp', 'Care of it', 'Oil*'], 'Guide > Lamp > Care of it > Oil*'],
    ],
  );
  assert.deepEqual(
    chunks.map(({ previousId }) => previousId),
    [undefined, chunks[0]!.id, chunks[1]!.id],
  );
  assert.deepEqual(
    chunks.map(({ nextId }) => nextId),
    [chunks[1]!.id, chunks[2]!.id, undefined],
  );
});

test('small sections are joined with their neighbours, and share their headings', () => {
  const terms = Array.from({ length: 12 }, (_, at) => `## Term ${at}\n\nMeaning ${at}.`).join('\n\n');
  const chunks = chunksOf(`# Terms\n\n${terms}\n`);
  assert.ok(chunks.length >= 2 && chunks.length <= 6, `${chunks.length} chunks`);
  assert.ok(chunks.some(({ text }) => text.split('## Term').length > 2));
  assert.ok(chunks.every(({ headings }) => headings[0] === 'Terms'));
});

test('a heading without a text of its own belongs to the section below it', () => {
  const chunks = chunksOf(`# A\n\n## B\n\n${prose('b', 3)}\n\n## C\n\n${prose('c', 3)}\n\n## D\n`);
  assert.deepEqual(
    chunks.map(({ headings }) => headings),
    [
      ['A', 'B'],
      ['A', 'C'],
    ],
  );
  assert.ok(chunks[0]!.text.startsWith('# A\n\n## B'));
  assert.ok(chunks[1]!.text.endsWith('## D'));
});

test('a table that is too long is divided between rows and repeats its header', () => {
  const header = '| Part | Price |\n| --- | --- |\n';
  const rows = Array.from({ length: 20 }, (_, at) => `| Part number ${at} | ${at} EUR |\n`);
  const markdown = header + rows.join('');
  const chunks = chunksOf(markdown);
  assert.ok(chunks.length > 2);
  for (const { text, start, end } of chunks.slice(1)) {
    assert.equal(text, header + markdown.slice(start, end).trimEnd());
    assert.ok(markdown.slice(start).startsWith('| Part number'));
  }
  assert.ok(chunks.every(({ tokens }) => tokens <= 60));
});

test('code that is too long is divided between lines, each part between fences', () => {
  const code = Array.from({ length: 30 }, (_, at) => `call(${at}, "a text");`).join('\n');
  const markdown = `~~~~js\n${code}\n~~~\n~~~~\n\nAfter.`;
  const chunks = chunksOf(markdown);
  assert.ok(chunks.length > 2);
  for (const { text } of chunks.slice(0, -1)) assert.match(text, /^~~~~js\n[\s\S]*\n~~~~$/);
  assert.match(chunks.at(-1)!.text, /^~~~~js\n[\s\S]*\n~~~\n~~~~\n\nAfter\.$/);
  assert.ok(chunks.every(({ tokens }) => tokens <= 60));
});

test('a list is divided between its items; an item that is too long stays whole and is marked', () => {
  const long = `- ${prose('items', 6)}\n  - nested\n\n    more\n`;
  const markdown = `- one ${prose('one', 2)}\n- two ${prose('two', 2)}\n${long}- three ${prose('three', 2)}\n`;
  const chunks = chunksOf(markdown);
  assert.deepEqual(
    chunks.filter(({ oversized }) => oversized).map(({ text }) => text),
    [long.trimEnd()],
  );
  assert.ok(chunks.every(({ text }) => text.startsWith('- ')));
});

test('a paragraph is divided between sentences, never inside a link or code', () => {
  const link = '[A link. With two sentences. In its text.](https://a.test/b)';
  const markdown = `${prose('a', 4)} ${link} \`code. With. Dots.\` ${prose('b', 4)}`;
  for (let maxTokens = 60; maxTokens < 90; maxTokens += 1) {
    const texts = chunksOf(markdown, maxTokens).map(({ text }) => text);
    assert.ok(texts.some((text) => text.includes(link)));
    assert.ok(texts.some((text) => text.includes('`code. With. Dots.`')));
    assert.ok(texts.every((text) => /[.`)]$/.test(text)));
  }
});

test('a sentence that is too long is divided between words, and a word never', () => {
  const words = chunksOf('word '.repeat(200));
  assert.ok(words.length > 3 && words.every(({ text }) => text.endsWith('word') && text.startsWith('word')));
  const [word, ...others] = chunksOf('x'.repeat(1000));
  assert.deepEqual([word?.oversized, others], [true, []]);
});

test('what stands in a quote is divided like anything else, with the signs of the quote', () => {
  const header = '> | Part | Price |\n> | --- | --- |\n';
  const rows = Array.from({ length: 20 }, (_, at) => `> | Part number ${at} | ${at} EUR |\n`);
  const chunks = chunksOf(header + rows.join(''));
  assert.ok(chunks.length > 2);
  for (const { text } of chunks) assert.ok(text.startsWith(header));
  assert.deepEqual(chunksOf('> # Not a section\n>\n> text')[0]?.headings, []);
});

test('a label goes with what it introduces', () => {
  const list = Array.from({ length: 6 }, (_, at) => `- day ${at}: from nine to five\n`).join('');
  const chunks = chunksOf(`${prose('shops', 5)}\n\nOpening hours:\n\n${list}`, 70);
  assert.equal(chunks.length, 2);
  assert.ok(chunks[1]!.text.startsWith('Opening hours:\n\n- day 0'));
});

test('the same chunk under the same heading has a number in its id', () => {
  const section = `## Same\n\n${prose('the same', 3)}\n\n`;
  const [first, second, third] = chunksOf(section.repeat(3));
  assert.deepEqual([second?.id, third?.id], [`${first!.id}-2`, `${first!.id}-3`]);
});

test('a change of one section leaves the ids of the others as they are', () => {
  const section = (name: string, text: string) => `## ${name}\n\n${text}\n\n`;
  const page = (text: string) =>
    `# Page\n\n${text}${['A', 'B', 'C'].map((name) => section(name, prose(name, 3))).join('')}`;
  const ids = (markdown: string) => chunksOf(markdown).map(({ id }) => id);
  const before = ids(page(''));
  assert.equal(before.length, 3);
  assert.deepEqual(ids(page('')), before, 'the same page gives the same ids');
  assert.deepEqual(ids(page(`${prose('the page', 3)}\n\n`)).slice(1), before, 'a text above the first section');
  const changed = ids(page('').replace('about B', 'about something else'));
  assert.deepEqual([changed[0], changed[2]], [before[0], before[2]]);
  assert.notEqual(changed[1], before[1]);
  const elsewhere = makeChunks({ url: 'https://example.com/other', markdown: page('') }, limits(60));
  assert.ok(elsewhere.every(({ id }) => !before.includes(id)));
});

test('with an overlap, a chunk begins with the last sentences of the one before it in the same section', () => {
  const markdown = `## A\n\n${prose('the first', 10)}\n\n## B\n\n${prose('the second', 3)}`;
  const chunks = chunksOf(markdown, 60, 20);
  const inA = chunks.filter(({ headings }) => headings[0] === 'A');
  assert.ok(inA.length > 2);
  for (const [at, { text, start, end, tokens }] of inA.entries()) {
    assert.equal(text, markdown.slice(start, end).trimEnd());
    assert.ok(tokens <= 60);
    if (at > 0) {
      assert.ok(start < inA[at - 1]!.end && start > inA[at - 1]!.start);
      assert.match(text, /^Sentence \d+ says/);
    }
  }
  assert.equal(chunks.find(({ headings }) => headings[0] === 'B')!.start, markdown.indexOf('## B'));
});

test('rows and lines of an overlap have their header and fences, too', () => {
  const header = '| Part | Price |\n| --- | --- |\n';
  const rows = Array.from({ length: 20 }, (_, at) => `| Part number ${at} | ${at} EUR |\n`);
  const [first, second] = chunksOf(header + rows.join(''), 80, 30);
  assert.ok(second!.start < first!.end);
  assert.ok(second!.text.startsWith(`${header}| Part number`));
});

test('a chunk of a PDF has the page on which it begins', () => {
  const pages = ['one', 'two', 'three'].map((name) => `## ${name}\n\n${prose(name, 3)}`);
  const pageStarts = [0, pages[0]!.length, pages[0]!.length + pages[1]!.length + 2];
  const chunks = makeChunks({ url: ADDRESS, markdown: pages.join('\n\n'), pageStarts }, limits(60));
  assert.deepEqual(
    chunks.map(({ page }) => page),
    [1, 2, 3],
  );
});

test('blocks are told apart', () => {
  assert.deepEqual(kindsOf('a\nb\n\n# c\n***\n- d\ne\n\n  f\n\ng'), [
    'paragraph',
    'heading',
    'lines',
    'list',
    'paragraph',
  ]);
  assert.deepEqual(kindsOf('```\n# a\n\n- b\n```\n`` ``c``'), ['fence', 'paragraph']);
  assert.deepEqual(kindsOf('```\n~~~\n\n# a'), ['fence'], 'a fence that is never closed');
  assert.deepEqual(kindsOf('a | b\n- | -\nc | d\n# e'), ['table', 'heading']);
  assert.deepEqual(kindsOf('    code\n\n    more\ntext'), ['lines', 'paragraph']);
  assert.deepEqual(kindsOf('<div>\n# a\n\n# b'), ['lines', 'heading']);
  assert.deepEqual(kindsOf('<!-- a\n\n# b -->\nc'), ['lines', 'paragraph']);
  assert.deepEqual(kindsOf('10. a\n    b\n11) c\n* * *'), ['list', 'lines']);
  assert.deepEqual(kindsOf('> a\n> > - b\n> # c'), ['paragraph', 'list', 'heading']);
  assert.deepEqual(kindsOf('> '), ['lines']);
});

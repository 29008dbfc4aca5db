// llms.txt: sections by path, notes in one line, short pages last, and nothing that a page could add by its title.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type LlmsDocument, llmsPage, llmsSection, readLlmsLine, writeLlmsText } from '../../../src/text/llms-text.ts';

const LONG = 'This page says a lot about its subject. '.repeat(10);
const page = (path: string, title: string, more: Partial<LlmsDocument['metadata']> = {}, markdown = LONG) =>
  llmsPage({ markdown, metadata: { url: `https://site.test${path}`, title, statusCode: 200, ...more } });
const written = (...pages: ReturnType<typeof page>[]) => writeLlmsText(pages.filter((each) => each !== undefined));

test('pages are listed in sections by the first part of their path, short ones at the end', () => {
  const text = written(
    page('/docs/install', 'Install', { description: 'How to\n install it.' }),
    page('/', 'Home'),
    page('/docs/', 'The manual'),
    page('/the-blog/a', 'A'),
    page('/the-blog/b', 'B'),
    page('/about', 'About us', { description: 'Who we are.' }, 'Short.'),
    page('/gone', 'Gone', { statusCode: 404 }),
  );
  const note = 'This page says a lot about its subject.';
  assert.equal(
    text,
    `# Home

- [Home](https://site.test/): ${note}

## The manual

- [Install](https://site.test/docs/install): How to install it.
- [The manual](https://site.test/docs/): ${note}

## The blog

- [A](https://site.test/the-blog/a): ${note}
- [B](https://site.test/the-blog/b): ${note}

## Optional

- [About us](https://site.test/about): Who we are.
`,
  );
});

test('one section is no section, and where most pages are short none is optional', () => {
  const text = written(page('/a/b', 'B', {}, 'Short.'), page('/a/c', 'C', {}, 'Short, too.'));
  assert.equal(text, '# B\n\n- [B](https://site.test/a/b): Short.\n- [C](https://site.test/a/c): Short, too.\n');
});

test('a title cannot end its link or begin a line, and a broken path is taken as it is', () => {
  const hostile = page('/%ff/x) [y](evil', 'A](http://evil.test)\n## Section', { description: '- item\n# Heading' })!;
  assert.equal(hostile.link, '[A\\](http://evil.test) ## Section](https://site.test/%ff/x%29%20[y]%28evil)');
  assert.equal(written(hostile), `# A](http://evil.test) ## Section\n\n- ${hostile.link}: - item # Heading\n`);
  assert.equal(llmsSection(hostile, null), `## ${hostile.link}\n\n`);
  assert.equal(llmsPage({ metadata: {} }), undefined);
});

test('a written list is read back, and lists of others as they write them', () => {
  const hard = page('/a (b)', 'An [odd] \\ title', { description: 'With a note: yes.' });
  const lines = written(hard).split('\n').map(readLlmsLine);
  assert.deepEqual(
    lines.filter((link) => link !== undefined),
    [{ name: 'An [odd] \\ title', url: 'https://site.test/a%20%28b%29', note: 'With a note: yes.' }],
  );
  const read = (line: string) => Object.values(readLlmsLine(line) ?? {});
  assert.deepEqual(read('  * [**A** [1]](/wiki/A_(b) "hint") : its `code`'), ['A [1]', '/wiki/A_(b)', 'its code']);
  assert.deepEqual(read('- [](<https://a.test/>)'), ['', 'https://a.test/', '']);
  for (const other of ['# A', '- text', '[a](b)', '- [a] (b)', '- ![a](b)', '- [a](b', '- [a]()'])
    assert.equal(readLlmsLine(other), undefined, other);
});

test('a line that is made to be slow is read in no time', () => {
  for (const part of ['[', '(', '\\', ' ', '\u2028', '[a](b', '"', '[]', '()', ' "'])
    for (const head of ['', '- [', '- [a](', '- [a](b) ', '- [a](b '])
      assert.doesNotThrow(() => readLlmsLine(`${head}${part.repeat(20_000 / part.length)}\u2028x`));
});

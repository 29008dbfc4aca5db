// What reaches the terminal and the disk: safe text, one line of progress, whole files.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Screen } from '../../../../src/cli/command.ts';
import { documentText, filesOf, problemOf } from '../../../../src/cli/output/document-text.ts';
import { putResult } from '../../../../src/cli/output/one-result.ts';
import { createProgress, progressLine } from '../../../../src/cli/output/progress.ts';
import { safeLine, safeText } from '../../../../src/cli/output/safe-text.ts';
import { createScreen, type Streams } from '../../../../src/cli/output/screen.ts';
import { resultList } from '../../../../src/cli/output/search-text.ts';
import { writeFileSafely } from '../../../../src/cli/output/write-file.ts';
import { temporaryFolder } from '../../store/temporary-folder.ts';

test('escape sequences, lone carriage returns and bidirectional controls are removed', () => {
  assert.equal(safeText('a\u001b]0;t\u0007b\r\nc\rd\te\u009bf\u202eg\u0000'), 'a]0;tb\ncd\tefg');
  assert.equal(safeLine(' one\n two\u001b '), 'one two');
});

test('progress has a bar, rate and time left, and never wraps', () => {
  const line = progressLine('Scraping', { done: 10, total: 40, note: 'x\n\u001by' }, 5_000, 100);
  assert.equal(line, 'Scraping  [#####...............]  10/40  2.0/s  0:15 left  x y');
  assert.equal(progressLine('Crawling', { done: 0, total: 0 }, 0, 100), 'Crawling  0/0');
  assert.equal(progressLine('Crawling', { done: 3 }, 61_000, 100), 'Crawling  3  0.0/s  1:01');
  for (const columns of [1, 2, 10, 40, 59, 60, 200]) {
    const state = { done: 7_200, total: 1_000_000, note: 'https://example.com/'.repeat(20) };
    assert.ok([...progressLine('Scraping', state, 1_000, columns)].length < Math.max(columns, 2), `${columns}`);
  }
});

test('progress is drawn at most ten times a second, follows the width, and is removed', () => {
  let now = 0;
  let columns = 80;
  const written: string[] = [];
  const terminal = { columns: () => columns, write: (text: string) => void written.push(text) };
  const progress = createProgress('Reading', terminal, { now: () => now });
  progress.update({ done: 1, total: 2 });
  progress.update({ done: 1, total: 2 });
  now = 100;
  columns = 12;
  progress.update({ done: 2, total: 2 });
  progress.end();
  progress.end();
  assert.equal(written.length, 3);
  assert.equal(written[1], '\r\u001b[2KReading  2…');
  assert.equal(written[2], '\r\u001b[2K');
});

function fakeStreams(isTTY: boolean) {
  const written = { out: '', err: '' };
  const stream = (name: 'out' | 'err') => ({
    isTTY,
    columns: 80,
    write: (text: string) => {
      written[name] += text;
    },
  });
  return { written, streams: { out: stream('out'), err: stream('err') } as unknown as Streams };
}

test('only a terminal gets safe text and progress, which never stands in front of output', () => {
  const clock = { now: () => 0 };
  for (const isTTY of [true, false]) {
    const { streams, written } = fakeStreams(isTTY);
    const screen = createScreen(streams, { isQuiet: false, json: false, clock });
    screen.progress('Reading').update({ done: 1 });
    screen.print('a\u001bb');
    screen.note('said');
    assert.equal(written.out, isTTY ? 'ab\n' : 'a\u001bb\n');
    // A character that ends in the next chunk, and one that begins an escape sequence.
    const bytes = Buffer.from('\u00e9\u009b31m');
    for (const chunk of [bytes.subarray(0, 1), bytes.subarray(1)]) screen.printBytes(chunk);
    if (isTTY) assert.equal(written.out, 'ab\n\u00e931m');
    assert.equal(written.err, isTTY ? '\r\u001b[2KReading  1  0.0/s  0:00\r\u001b[2Ksaid\n' : 'said\n');
  }
  const { streams, written } = fakeStreams(true);
  const quiet = createScreen(streams, { isQuiet: true, json: false, clock });
  quiet.progress('Reading').update({ done: 1 });
  quiet.note('said');
  assert.equal(written.err, '');
});

test('a file is whole or absent, and a folder stays', async (t) => {
  const folder = await temporaryFolder(t);
  const file = join(folder, 'a', 'b', 'page.md');
  await writeFileSafely(file, 'first\n');
  await writeFileSafely(file, Buffer.from('second\n'));
  assert.equal(readFileSync(file, 'utf8'), 'second\n');
  async function* broken() {
    yield Buffer.from('half');
    throw new Error('broken off');
  }
  await assert.rejects(writeFileSafely(file, broken()), /broken off/);
  assert.equal(readFileSync(file, 'utf8'), 'second\n');
  assert.deepEqual(readdirSync(join(folder, 'a', 'b')), ['page.md']);

  mkdirSync(join(folder, 'taken'));
  await assert.rejects(writeFileSafely(join(folder, 'taken'), 'x'), /is a folder/);
  await assert.rejects(writeFileSafely(join(file, 'below'), 'x'), /cannot be written: .*\(ENOTDIR|EEXIST\)/);
});

test('a link is followed, and a device is written to, not replaced', async (t) => {
  const folder = await temporaryFolder(t);
  const [link, pipe] = [join(folder, 'link.md'), join(folder, 'pipe')];
  await writeFileSafely(join(folder, 'deep', 'page.md'), 'first');
  symlinkSync(join('deep', 'page.md'), link);
  await writeFileSafely(link, 'second');
  assert.ok(lstatSync(link).isSymbolicLink());
  assert.equal(readFileSync(join(folder, 'deep', 'page.md'), 'utf8'), 'second');
  execFileSync('mkfifo', [pipe]);
  const [read] = await Promise.all([readFile(pipe, 'utf8'), writeFileSafely(pipe, 'third')]);
  assert.equal(read, 'third');
  assert.ok(lstatSync(pipe).isFIFO());
  assert.deepEqual(readdirSync(folder).sort(), ['deep', 'link.md', 'pipe']);
});

const METADATA = { sourceURL: 'https://a.example/', url: 'https://a.example/', statusCode: 200 } as never;

test('a document is its only format, or all of them below headings', () => {
  assert.equal(documentText({ markdown: '# A', metadata: METADATA }), '# A');
  assert.equal(documentText({ links: ['https://a', 'https://b'], metadata: METADATA }), 'https://a\nhttps://b');
  assert.equal(documentText({ markdown: '# A', summary: 'Short.', warning: 'w' }), '# A\n\n## summary\n\nShort.');
  assert.equal(documentText({ json: { price: 1 } }), '{\n  "price": 1\n}');
  assert.equal(documentText({ screenshot: 'https://s/files/1/a.png' }), '');
  assert.deepEqual(filesOf({ screenshot: null, actions: { pdfs: ['https://s/files/2/p.pdf'] }, rawBase64: 'eA==' }), [
    { name: 'action-1', link: 'https://s/files/2/p.pdf' },
    { name: 'file', base64: 'eA==' },
  ]);
  assert.equal(problemOf({ metadata: METADATA }), undefined);
});

test('titles of results cannot break their list', () => {
  const item = { url: 'https://a.example', title: 'A [b]\nc\u001b', description: 'two\nlines' };
  assert.equal(resultList([item]), '1. [A \\[b\\] c](https://a.example)\n   two lines');
});

test('files are read from the service alone, and written beside the text', async (t) => {
  const folder = await temporaryFolder(t);
  const asked: unknown[] = [];
  const api = {
    async download(id: string, { params, query }: { params: object; query: object }) {
      asked.push([id, params, query]);
      return { body: [Buffer.from('PNG')] };
    },
  };
  const notes: string[] = [];
  const screen = { json: false, isTerminal: true, note: (text: string) => void notes.push(text) } as unknown as Screen;
  const session = { api, url: '', isEmbedded: false } as never;
  const link = 'https://evil.example/prefix/files/abc/screenshot.png?expires=5&sig=x';
  const document = { markdown: '# A', screenshot: link, metadata: METADATA };
  const file = join(folder, 'page.md');
  await putResult({ document, answer: {} }, { flags: { output: file }, screen }, session);
  assert.deepEqual(asked, [['file', { file: 'abc', name: 'screenshot.png' }, { expires: '5', sig: 'x' }]]);
  assert.equal(readFileSync(join(folder, 'page.screenshot.png'), 'utf8'), 'PNG');
  assert.deepEqual(notes, [`Written to ${file}`]);

  const png = join(folder, 'page.png');
  await putResult({ document: { screenshot: link }, answer: {} }, { flags: { output: png }, screen }, session);
  assert.equal(readFileSync(png, 'utf8'), 'PNG');
  const inline = { screenshot: `data:image/jpeg;base64,${Buffer.from('JPG').toString('base64')}`, markdown: 'x' };
  await putResult({ document: inline, answer: {} }, { flags: { output: join(folder, 'i.md') }, screen }, session);
  assert.equal(readFileSync(join(folder, 'i.screenshot.jpg'), 'utf8'), 'JPG');
  assert.ok(!existsSync(join(folder, 'i.screenshot.png')));
});

// Which views an answer has, and what stands above it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../../../web/console/api/api-error.ts';
import { answerFacts } from '../../../../web/console/playground/answer/facts.ts';
import { cellText, dataParts } from '../../../../web/console/playground/answer/views/data-parts.ts';
import {
  chosenView,
  filterLinks,
  imageSource,
  linkItems,
  viewsOf,
  viewText,
} from '../../../../web/console/playground/answer/views/view.ts';
import type { Operation, Run } from '../../../../web/console/playground/run/run.ts';
import { diffLines } from '../../../../web/console/ui/data/diff-lines.ts';

const ids = (operation: Operation, answer: unknown) => viewsOf({ operation, answer }).map(({ id }) => id);

test('a scrape has a view for each format that came, and the JSON', () => {
  const data = { markdown: '# a', rawHtml: '<p>a', links: ['https://a.example/'], screenshot: null, metadata: {} };
  assert.deepEqual(ids('scrape', { success: true, data }), [
    'markdown',
    'source',
    'preview',
    'rawHtml',
    'links',
    'json',
  ]);
  assert.deepEqual(ids('scrape', { data: { json: [{ a: 1 }], summary: 's' } }), ['summary', 'data', 'json']);
});

test('every operation has views of its own', () => {
  assert.deepEqual(ids('map', { links: [{ url: 'https://a.example/' }] }), ['links', 'json']);
  assert.deepEqual(ids('search', { data: { web: [], images: [] } }), ['web', 'images', 'json']);
  assert.deepEqual(ids('crawl', { status: 'scraping', data: [] }), ['pages', 'json']);
  assert.deepEqual(ids('agent', { status: 'processing' }), ['json']);
  assert.deepEqual(ids('agent', { status: 'completed', data: { a: 1 }, message: 'Hi' }), ['message', 'data', 'json']);
  assert.deepEqual(ids('extract', { status: 'processing', data: [] }), ['json']);
  assert.deepEqual(ids('extract', { status: 'failed', data: [], sources: {} }), ['json']);
  assert.deepEqual(ids('browser', { stdout: 'x', exitCode: 0 }), ['output', 'json']);
  assert.deepEqual(ids('browser', { id: '1', cdpUrl: 'ws://x' }), ['session', 'json']);
});

test('answers that are not what they should be still have a view', () => {
  for (const odd of [null, 1, 'text', [], { data: 7 }, { data: { markdown: 5, links: 'no' } }])
    assert.deepEqual(ids('scrape', odd), ['json']);
  assert.deepEqual(viewsOf({ operation: 'scrape', answer: undefined }), []);
});

test('the chosen view stays open while the answer has it', () => {
  const views = viewsOf({ operation: 'scrape', answer: { data: { markdown: 'a', links: [] } } });
  assert.equal(chosenView(views, 'links')?.id, 'links');
  assert.equal(chosenView(views, 'screenshot')?.id, 'markdown');
  assert.equal(viewText(chosenView(views, 'source')!), 'a');
});

test('links are read from texts and objects, and filtered by words', () => {
  const items = linkItems(['https://a.example/tea', { url: 'https://b.example/', title: 'Green Tea' }, 7, {}]);
  assert.equal(items.length, 2);
  assert.deepEqual(filterLinks(items, 'green TEA'), [items[1]]);
  assert.equal(filterLinks(items, ' ').length, 2);
});

test('only files of this server and pictures in the answer are shown', () => {
  assert.equal(imageSource('https://public.example/files/1.png?sig=a'), '/files/1.png?sig=a');
  assert.equal(imageSource('data:image/png;base64,AA'), 'data:image/png;base64,AA');
  for (const bad of [
    'https://evil.example/x.png',
    'data:image/svg+xml,<svg/>',
    'javascript:1',
    '//evil.example/filesx',
  ])
    assert.equal(imageSource(bad), undefined, bad);
});

test('lists of objects are tables, the rest is a tree', () => {
  const { tables, rest } = dataParts({ name: 'x', items: [{ a: 1, b: [1, 2] }, { c: { d: 1 } }], mixed: [1, {}] });
  assert.deepEqual(
    tables.map(({ title, columns }) => [title, columns]),
    [['items', ['a', 'b', 'c']]],
  );
  assert.deepEqual(rest, { name: 'x', mixed: [1, {}] });
  assert.equal(dataParts([{ a: 1 }]).rest, undefined);
  assert.deepEqual([cellText([1, 2]), cellText({ d: 1 }), cellText(null)], ['1, 2', '1 fields', '']);
});

test('a diff of any size has bounded lines', () => {
  const { lines, isCut } = diffLines(`--- a\n+++ b\n@@ -1 +1 @@\n-old\n+new\n${' same\n'.repeat(10_000)}`);
  assert.deepEqual(
    lines.slice(0, 3).map(({ kind }) => kind),
    ['place', 'removed', 'added'],
  );
  assert.equal(isCut, true);
  assert.ok(lines.length <= 2_000);
});

test('removed text that looks like the name of a file stays in the diff', () => {
  const { lines, isCut } = diffLines('--- a\n+++ b\n@@ -1,2 +1 @@\n--- a list\n same');
  assert.deepEqual(
    lines.map(({ kind, text }) => [kind, text]),
    [
      ['place', '@@ -1,2 +1 @@'],
      ['removed', '--- a list'],
      ['same', ' same'],
    ],
  );
  assert.equal(isCut, false);
});

const run = (more: Partial<Run>): Run => ({
  operation: 'scrape',
  request: {},
  state: 'done',
  startedAt: 0,
  ms: 12,
  ...more,
});

test('time, cost, cache and status stand above the answer', () => {
  const metadata = { creditsUsed: 5, cacheState: 'hit', statusCode: 404 };
  const facts = answerFacts(run({ answer: { data: { metadata }, warning: 'Careful.' } }));
  assert.deepEqual([facts.credits, facts.cache, facts.status, facts.warnings], [5, 'hit', 404, ['Careful.']]);
  assert.equal(facts.state.tone, 'warn');
  const wall = answerFacts(run({ answer: { data: { metadata: { verdict: 'login-wall' } } } }));
  assert.equal(wall.state.text, 'Done: login wall');
});

test('a failed call shows its own status, and what it cost', () => {
  const body = { details: { explanation: { cost: { credits: 1 } } } };
  const error = new ApiError('No such host.', { code: 'SCRAPE_DNS_RESOLUTION_ERROR', status: 400, body });
  const facts = answerFacts(run({ state: 'failed', error }));
  assert.deepEqual([facts.status, facts.credits, facts.state.text], [400, 1, 'Failed']);
});

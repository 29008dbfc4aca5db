import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SaxesParser } from 'saxes';
import { feedUrl, readFeed } from '../../../../src/operations/monitor/feed.ts';
import { createMailTokens } from '../../../../src/operations/monitor/mail/mail-tokens.ts';
import { openSqlite } from '../../../conformance/open-sqlite.ts';
import { addCheck, addMonitor, foundPage } from '../../../support/monitors.ts';

const START = Date.UTC(2027, 0, 1);
const tokens = createMailTokens(new Uint8Array(32).fill(3));
const clock = { now: () => START };

/** Element names with their texts, in order. The parser throws at anything that is not well-formed XML. */
function elements(xml: string): [name: string, text: string][] {
  const found: [string, string][] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => found.push([name, attributes.href?.value ?? '']));
  parser.on('text', (text) => {
    if (found.length > 0 && text.trim() !== '') found.at(-1)![1] += text;
  });
  parser.write(xml).close();
  return found;
}

test('the feed has an entry for each check that has something to tell, whatever pages contain', async (t) => {
  const store = await openSqlite(t);
  const deps = { monitors: store.monitors, runs: store.runs, tokens, clock };
  const monitor = await addMonitor(store, START, { name: 'A & B <x>\u0000' });
  const hostile = {
    metadata: { title: ']]><script>\u0008 & "q"' },
    diff: { text: '+\u0007</pre>\n' },
    snapshot: null,
    judgment: null,
  };
  const first = await addCheck(store, monitor, [foundPage('https://site.test/?a=1&b=2', { details: hostile })], START);
  await addCheck(store, monitor, [foundPage('https://site.test/', { status: 'same' })], START + 1);
  const pages = [
    foundPage('https://site.test/1', { status: 'new' }),
    foundPage('https://site.test/2', { status: 'error', error: 'Gone' }),
  ];
  const last = await addCheck(store, monitor, pages, START + 2);

  const token = tokens.feed(monitor.teamId, monitor.id);
  const asked = { id: monitor.id, token, baseUrl: 'https://public.test/x' };
  const { xml, etag } = await readFeed(deps, asked);
  const found = elements(xml!);
  const all = (name: string) => found.flatMap(([each, text]) => (each === name ? [text] : []));
  assert.deepEqual(
    all('id'),
    [monitor.id, last, first].map((id) => `urn:uuid:${id}`),
  );
  assert.deepEqual(all('title'), ['A & B <x>', '1 page new, 1 failed', 'changed: ]]><script> & "q"']);
  assert.deepEqual(
    all('updated'),
    [START + 2, START + 2, START].map((time) => new Date(time).toISOString()),
  );
  assert.deepEqual(all('link'), [
    `https://public.test/x/v2/monitor/${monitor.id}/feed?token=${token}`,
    'https://site.test/?a=1&b=2',
  ]);
  assert.match(all('content')[1]!, /&lt;\/pre&gt;/);

  assert.deepEqual(await readFeed(deps, { ...asked, knownEtag: `"other", W/${etag}` }), { etag });
  await addCheck(store, monitor, pages, START + 3);
  assert.notEqual((await readFeed(deps, { ...asked, knownEtag: etag })).etag, etag);
});

test('a feed is opened by its own link only', async (t) => {
  const store = await openSqlite(t);
  const deps = { monitors: store.monitors, runs: store.runs, tokens, clock };
  const [monitor, other] = [await addMonitor(store, START), await addMonitor(store, START)];
  const token = new URL(feedUrl(tokens, monitor)).searchParams.get('token')!;
  const open = (id: string, given: string) => readFeed(deps, { id, token: given, baseUrl: 'https://x.test' });
  assert.match((await open(monitor.id, token)).xml!, /<feed/);
  const wrong: [string, string][] = [
    [other.id, token],
    [monitor.id, ''],
    [monitor.id, token.slice(1)],
    ['x', token],
  ];
  for (const [id, given] of wrong) await assert.rejects(open(id, given), { code: 'MONITOR_NOT_FOUND' });
  await store.monitors.remove(monitor.id, monitor.teamId, START);
  await assert.rejects(open(monitor.id, token), { code: 'MONITOR_NOT_FOUND' });
});

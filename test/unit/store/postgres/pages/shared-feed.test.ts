// Several processes write index entries, and several indexes follow them: no change is lost, whatever order they commit in.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SHARED } from '../../../../../src/page/page-owner.ts';
import type { IndexFeed } from '../../../../../src/store/ports/pages/index-feed.ts';
import { hasPostgres } from '../../../../conformance/open-postgres.ts';
import { findablePage, holdTransaction, openProcesses } from './several-processes.ts';

const URL_A = 'http://site.test/a';
const URL_B = 'http://site.test/b';

const urlsAfter = async (feed: IndexFeed, change = 0) => (await feed.after(change, 100)).map(({ url }) => url);

describe('the feed of several processes', { skip: !hasPostgres && 'It runs with npm run test:cluster' }, () => {
  test('a change that began earlier and is committed later comes after what was read before', async (t) => {
    const { a, b, database, rows } = await openProcesses(t);
    const packed = await rows.packer.pack(findablePage(URL_A, 'slow'));
    const slow = await holdTransaction(database, (tx) => rows.pages.write(tx, packed));
    await b.pages.save(findablePage(URL_B, 'quick'));
    const [quick, ...others] = await a.feed.after(0, 100);
    assert.deepEqual([quick?.url, others.length], [URL_B, 0]);
    assert.equal((await a.feed.state()).newest, quick!.change);
    await slow.commit();
    const { newest } = await b.feed.state();
    assert.ok(newest > quick!.change, 'the change counts once it is committed');
    assert.deepEqual(await urlsAfter(a.feed, quick!.change), [URL_A]);
    assert.equal((await a.feed.after(0, 100)).at(-1)!.change, newest);
  });

  test('readers at once number each change once, and everything that is committed', async (t) => {
    const { a, b } = await openProcesses(t);
    const urls = Array.from({ length: 40 }, (_, n) => `http://site.test/${n}`);
    const seen: string[] = [];
    let position = 0;
    const read = async () => {
      const changes = await a.feed.after(position, 7);
      for (const { change, url } of changes) {
        assert.ok(change > position);
        position = change;
        seen.push(url);
      }
      return changes.length;
    };
    const writing = Promise.all(
      urls.map(async (url, n) => {
        await [a, b][n % 2]!.pages.save(findablePage(url, 'text'));
        const { newest } = await b.feed.state();
        const found = await b.feed.after(0, 100);
        assert.ok(
          found.some((change) => change.url === url && change.change <= newest),
          url,
        );
      }),
    );
    let isDone = false;
    void writing.finally(() => {
      isDone = true;
    });
    while (!isDone || (await read()) > 0) await read();
    await writing;
    assert.deepEqual(seen.toSorted(), urls.toSorted());
  });

  test('a removal stays until all indexes have it, and those that are gone for a day are forgotten', async (t) => {
    const { a, b, database } = await openProcesses(t);
    await a.pages.save(findablePage(URL_A, 'text'));
    await a.feed.state('one');
    await b.feed.state('two');
    await b.pages.delete(URL_A, SHARED);
    const { newest } = await a.feed.state();
    await a.feed.acknowledge(newest, 'one');
    assert.deepEqual(await urlsAfter(b.feed), [URL_A], 'the other index has not read it');
    assert.deepEqual(await b.feed.state('two'), { newest, acknowledged: 0, dropped: 0 });
    assert.equal((await b.feed.state('one')).acknowledged, newest);
    assert.equal((await b.feed.state()).acknowledged, 0, 'not all have applied it');

    await database.sql`UPDATE feed_consumers SET seen_at = now() - interval '25 hours' WHERE name = 'two'`;
    assert.equal((await b.feed.state()).acknowledged, newest);
    await a.feed.acknowledge(newest, 'one');
    assert.deepEqual(await urlsAfter(b.feed), []);
    // An index at a lower position has missed the removal, and can tell.
    assert.deepEqual(await b.feed.state('two'), { newest, acknowledged: 0, dropped: newest });
  });

  test('a late acknowledgement of one feeder does not undo what another one has acknowledged since', async (t) => {
    const { a, b } = await openProcesses(t);
    await a.pages.save(findablePage(URL_A, 'text'));
    await a.pages.save(findablePage(`${URL_A}/b`, 'text'));
    const { newest } = await a.feed.state('shared');
    await b.feed.acknowledge(newest, 'shared');
    await a.feed.acknowledge(newest - 1, 'shared');
    assert.equal((await b.feed.state('shared')).acknowledged, newest);
    await a.feed.acknowledge(0, 'shared');
    assert.equal((await b.feed.state('shared')).acknowledged, 0, 'an index that starts over says so');
  });
});

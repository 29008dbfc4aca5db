// A host of many stored pages, listed and deleted beside a crawl of it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { StoredPagesResponse } from '../../src/contracts/search/stored-pages.ts';
import { CRAWL, jobEnd, startJob } from '../support/jobs.ts';
import {
  deleteBy,
  found,
  hostOf,
  hostsOf,
  LARGE,
  LARGE_PATHS,
  pagesOf,
  service,
  useStoredPages,
  web,
} from '../support/wire/stored-pages.ts';

useStoredPages();

describe('stored pages', () => {
  test('a host is listed page by page and deleted beside a crawl of it', async () => {
    const crawl = await startJob(service, CRAWL, { url: web.url(LARGE, '/'), limit: 200 });
    const during = await deleteBy({ host: hostOf(LARGE) });
    assert.equal(during.data.has_more, false);
    const ended = await jobEnd(service, `${CRAWL}/${crawl}`);
    assert.deepEqual([ended.status, ended.completed], ['completed', LARGE_PATHS.length + 1]);

    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const list: StoredPagesResponse = await pagesOf(service, {
        ...{ host: hostOf(LARGE), limit: '50', contains: '/p' },
        ...(cursor && { cursor }),
      });
      seen.push(...list.data.map(({ url }) => url));
      assert.equal(list.cursor !== null, list.has_more);
      cursor = list.cursor;
    } while (cursor !== null);
    assert.deepEqual(seen, seen.toSorted());
    assert.equal(new Set(seen).size, seen.length);
    const [counted] = (await hostsOf(service, { prefix: 'larg' })).data;
    assert.ok(counted!.pages >= seen.length);
    const urls = seen.slice(0, 3);
    assert.equal((await deleteBy({ url: urls })).data.pages, 3);
    const rest = await deleteBy({ host: hostOf(LARGE) });
    assert.deepEqual([rest.data.pages, rest.data.has_more], [counted!.pages - 3, false]);
    assert.deepEqual((await hostsOf(service, { prefix: 'larg' })).data, []);
    assert.equal((await found(`site:${LARGE}`)).length, 0);
  });
});

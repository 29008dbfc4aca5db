// A deletion that its caller abandons: what was deleted by then is recorded, and leaves the search.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DeletePagesDeps, deletePages } from '../../../../src/operations/stored/delete-pages.ts';
import { createPageSharing } from '../../../../src/page/page-owner.ts';
import { systemClock } from '../../../../src/util/clock.ts';
import { callOf } from '../../../support/call.ts';

test('a caller who leaves while a host is deleted leaves a record of it', async () => {
  const leaving = new AbortController();
  const done: string[] = [];
  const deps = {
    stored: {
      removeOfHost: async () => {
        leaving.abort(new Error('left'));
        return { pages: 25, copies: 25, versions: 0, next: 'http://shop.test/p025' };
      },
    },
    archives: { removeHost: async () => 0 },
    pages: { sweep: async () => void done.push('swept') },
    sharing: createPageSharing({ isolatesTeams: false }),
    siteMemories: { forget: async (site: string) => void done.push(`forgotten ${site}`) },
    indexer: { wake: () => void done.push('woken') },
    audit: {
      addAll: async (events: { action: string; target: string; details: { pages: number } }[]) =>
        void done.push(...events.map(({ action, target, details }) => `${action} ${target} ${details.pages}`)),
    },
    clock: systemClock,
  } as unknown as DeletePagesDeps;
  const caller = { team: { id: 'team', name: 'team' }, address: '127.0.0.1', signal: leaving.signal };
  await assert.rejects(deletePages(deps, callOf(caller as never, { query: { host: 'shop.test' } })), /left/);
  assert.deepEqual(done, ['forgotten shop.test', 'woken', 'pages.deleted shop.test 25', 'swept']);
});

// What a process knows of sites: whose pages teach it, and when others learn of it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createSiteMemories } from '../../../../../src/operations/page/siblings/site-memories.ts';
import { createPageSharing, EVERYONE, type PageOwner, SHARED } from '../../../../../src/page/page-owner.ts';
import { learnPage, type SiteMemory } from '../../../../../src/page/site-memory.ts';
import type { SiteMemoryStore } from '../../../../../src/store/ports/pages/site-memory-store.ts';

const NOW = Date.UTC(2031, 4, 1);
const SECOND = 1_000;

/** A store in memory that counts its calls. */
function createStore() {
  const known = new Map<string, SiteMemory>();
  const calls = { find: 0, learn: 0 };
  const bytesOf = (memory: SiteMemory) => new Uint8Array(memory.slice().buffer);
  const store: SiteMemoryStore = {
    async find(owner, site) {
      calls.find += 1;
      const memory = known.get(`${owner} ${site}`);
      return memory && bytesOf(memory);
    },
    async learn(owner, site, pages) {
      calls.learn += 1;
      const memory = pages.reduce(learnPage, known.get(`${owner} ${site}`))!;
      known.set(`${owner} ${site}`, memory);
      return bytesOf(memory);
    },
  };
  return { store, calls };
}

function openScene({ isolatesTeams = false, store = createStore() } = {}) {
  const clock = { time: NOW, now: () => clock.time };
  const sharing = createPageSharing({ isolatesTeams });
  const memories = createSiteMemories({ store: store.store, sharing, clock });
  const learn = (path: string, { owner = SHARED as PageOwner, teamId = 'a' } = {}) =>
    memories.learn({ url: new URL(path, 'http://a.test'), owner, teamId, texts: Uint32Array.of(1, 2, 3) });
  const find = (path: string, teamId: string | undefined = 'a') =>
    memories.find(new URL(path, 'http://a.test'), teamId);
  return { memories, sharing, clock, learn, find, store };
}

describe('the memories of sites', () => {
  test('tell pages apart from their siblings, and how much is known', async () => {
    const { memories, learn, find } = openScene();
    learn('/1');
    await memories.close();
    assert.equal(await find('/1'), undefined);
    assert.equal(await find('/1#part'), undefined);
    assert.equal((await find('/2'))?.level, 1);
    assert.equal((await find('http://www.a.test/2'))?.name, 'a.test');
    assert.equal(await find('http://b.test/2'), undefined);
    for (const path of ['/2', '/3', '/4']) learn(path);
    await memories.close();
    assert.equal((await find('/5'))?.level, 2);
  });

  test('learn only from pages that are stored for all who see them', async () => {
    const { memories, sharing, learn, find, store } = openScene({ isolatesTeams: true });
    learn('/secret', { owner: EVERYONE });
    learn('/shared', { owner: SHARED });
    await memories.close();
    assert.equal(store.calls.learn, 0);
    learn('/own', { owner: sharing.ownerOfAnswers('a') });
    await memories.close();
    assert.ok(await find('/2', 'a'));
    assert.equal(await find('/2', 'b'), undefined);
    assert.equal(await memories.find(new URL('http://a.test/2'), undefined), undefined);
  });

  test('pages of a team alone teach nothing that others see', async () => {
    const { memories, learn, find } = openScene();
    learn('/with-token', { owner: 'a' as PageOwner });
    await memories.close();
    assert.equal(await find('/2'), undefined);
  });

  test('several pages are written at once', async () => {
    const { memories, learn, store } = openScene();
    for (let page = 0; page < 40; page++) learn(`/${page}`);
    await memories.close();
    assert.equal(store.calls.learn, 3);
  });

  test('what another process has learnt is known after some seconds, and without a look at the store for each page', async () => {
    const one = openScene();
    const second = openScene({ store: one.store });
    assert.equal(await second.find('/2'), undefined);
    one.learn('/1');
    await one.memories.close();
    assert.equal(await second.find('/2'), undefined);
    second.clock.time += 11 * SECOND;
    assert.ok(await second.find('/2'));
    assert.ok(await second.find('/3'));
    assert.equal(one.store.calls.find, 3);
  });

  test('a site whose pages were deleted is looked up again, and what was not written yet is dropped', async () => {
    const { memories, learn, find, store } = openScene();
    learn('/1');
    await memories.forget('www.a.test');
    await memories.close();
    assert.equal(store.calls.learn, 0);
    assert.equal(await find('/2'), undefined);
  });

  test('a deletion waits for what is being written', async () => {
    const store = createStore();
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = {
      ...store.store,
      learn: async (...all: Parameters<SiteMemoryStore['learn']>) => {
        await promise;
        return store.store.learn(...all);
      },
    };
    const { memories, learn } = openScene({ store: { ...store, store: slow } });
    learn('/1');
    const closed = memories.close();
    const forgotten = memories.forget('a.test').then(() => store.calls.learn);
    resolve();
    assert.equal(await forgotten, 1);
    await closed;
  });

  test('a store that fails does not keep pages from being read', async () => {
    const fails = () => Promise.reject(new Error('The disk is full.'));
    const { memories, learn, find } = openScene({
      store: { store: { find: fails, learn: fails }, calls: { find: 0, learn: 0 } },
    });
    assert.equal(await find('/1'), undefined);
    learn('/1');
    await memories.close();
    assert.equal(await find('/2'), undefined);
  });
});

// Every ProcessRegistry and SessionDirectory passes these tests.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ProcessFacts } from '../../src/store/ports/process-registry.ts';
import { type OpenStore, START } from './samples.ts';

export const aProcess = (id: string, more: Partial<ProcessFacts> = {}): ProcessFacts => ({
  ...{ id, name: `host-${id}`, role: 'all', url: `http://127.0.0.1:1/${id}`, proof: `of ${id}` },
  ...{ version: '1.0.0', protocol: 1 },
  ...{ hasBrowser: true, freePages: 4, freeSessions: 2, maxConcurrency: 50, startedAt: START },
  ...more,
});

export function testProcesses(adapter: string, open: OpenStore): void {
  describe(`${adapter}: processes`, () => {
    test('a process is listed with what it said last, until it leaves', async (t) => {
      const { processes } = await open(t);
      assert.equal(await processes.renew(aProcess('a'), START), true);
      assert.equal(await processes.renew(aProcess('a', { freePages: 1 }), START + 5_000), false);
      assert.deepEqual(await processes.list(START + 6_000), [
        { ...aProcess('a'), freePages: 1, seenAt: START + 5_000 },
      ]);
      await processes.leave('a');
      assert.deepEqual(await processes.list(START + 6_000), []);
    });
  });

  describe(`${adapter}: places of sessions`, () => {
    const place = { id: 's1', processId: 'a', teamId: 't' };
    const opened = async (...args: Parameters<OpenStore>) => {
      const { processes, sessionPlaces } = await open(...args);
      await processes.renew(aProcess('a'), START);
      return sessionPlaces;
    };

    test('a session is found by its id for its own team, and by its tokens once it is open', async (t) => {
      const places = await opened(t);
      assert.equal(await places.reserve(place, 2, START), 'reserved');
      assert.equal(await places.findByToken('token-1', START), undefined);
      await places.opened(place, ['token-1', 'token-2']);
      assert.deepEqual(await places.find('s1', 't', START), place);
      assert.equal(await places.find('s1', 'another team', START), undefined);
      assert.deepEqual(await places.findByToken('token-2', START), place);
      assert.equal(await places.findByToken('token-3', START), undefined);
      assert.deepEqual(await places.processesOf('t', START), ['a']);
      assert.deepEqual(await places.processesOf('another team', START), []);
      await places.ended('s1', START);
      assert.equal(await places.findByToken('token-1', START), undefined);
    });

    test('a team has at most so many sessions, those that are starting included', async (t) => {
      const places = await opened(t);
      const results = await Promise.all(
        Array.from({ length: 6 }, (_, n) => places.reserve({ ...place, id: `s${n}` }, 3, START)),
      );
      assert.deepEqual(results.toSorted(), ['reserved', 'reserved', 'reserved', 'too many', 'too many', 'too many']);
      assert.equal(await places.reserve({ ...place, id: 'x', teamId: 'u' }, 3, START), 'reserved');
      await places.ended(`s${results.indexOf('reserved')}`, START);
      assert.equal(await places.reserve({ ...place, id: 'y' }, 3, START), 'reserved');
    });

    test('a scrape is continued by one session at a time', async (t) => {
      const places = await opened(t);
      const first = { ...place, scrape: 't scrape-1' };
      assert.equal(await places.reserve(first, 5, START), 'reserved');
      assert.deepEqual(await places.reserve({ ...first, id: 's2' }, 5, START), { takenBy: first });
      assert.deepEqual(await places.findByScrape('t scrape-1', START), first);
      await places.ended('s1', START);
      assert.equal(await places.reserve({ ...first, id: 's2' }, 5, START), 'reserved');
      assert.deepEqual(await places.findByScrape('t scrape-1', START), { ...first, id: 's2' });
    });
  });
}

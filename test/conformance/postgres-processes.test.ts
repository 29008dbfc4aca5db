// The Postgres adapter passes the suite for processes, also with several of them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createDatabase, hasPostgres, openPostgres } from './open-postgres.ts';
import { aProcess, testProcesses } from './processes.ts';
import { START } from './samples.ts';

const SECOND = 1_000;

if (hasPostgres) testProcesses('postgres', openPostgres);

describe('postgres: several processes', { skip: !hasPostgres && 'It runs with npm run test:cluster' }, () => {
  test('a process that stops renewing its row is dead after 20 seconds, and its sessions are gone', async (t) => {
    const database = await createDatabase(t);
    const [a, b] = await Promise.all([database.open(), database.open()]);
    await a.processes.renew(aProcess('a'), START);
    await b.processes.renew(aProcess('b', { role: 'a role of tomorrow' }), START);
    const place = { id: 's', processId: 'a', teamId: 't' };
    assert.equal(await a.sessionPlaces.reserve(place, 1, START), 'reserved');
    await a.sessionPlaces.opened(place, ['token']);
    assert.deepEqual(await b.sessionPlaces.findByToken('token', START), place);
    assert.equal(await b.sessionPlaces.reserve({ ...place, id: 's2', processId: 'b' }, 1, START), 'too many');

    const later = START + 21 * SECOND;
    await b.processes.renew(aProcess('b'), later);
    assert.deepEqual(
      (await b.processes.list(later)).map(({ id }) => id),
      ['b'],
    );
    assert.equal(await b.sessionPlaces.find('s', 't', later), undefined);
    assert.equal(await b.sessionPlaces.findByToken('token', later), undefined);
    assert.equal(await b.sessionPlaces.reserve({ ...place, id: 's2', processId: 'b' }, 1, later), 'reserved');
  });

  test('a process that was only held up comes back and enters its sessions again', async (t) => {
    const database = await createDatabase(t);
    const [a, b] = await Promise.all([database.open(), database.open()]);
    await a.processes.renew(aProcess('a'), START);
    const place = { id: 's', processId: 'a', teamId: 't', scrape: 't x' };
    await a.sessionPlaces.reserve(place, 1, START);
    const later = START + 100 * SECOND;
    await b.processes.renew(aProcess('b'), later);
    await b.sessionPlaces.reserve({ ...place, id: 's2', processId: 'b' }, 1, later);
    assert.equal(await a.processes.renew(aProcess('a'), later), true);
    await a.sessionPlaces.opened(place, ['token']);
    assert.equal((await b.sessionPlaces.findByToken('token', later))?.processId, 'a');
    assert.equal((await b.sessionPlaces.findByScrape('t x', later))?.id, 's2');
  });

  test('an ended session is found by its id for an hour, so that its process can say that it has ended', async (t) => {
    const { processes, sessionPlaces } = await openPostgres(t);
    await processes.renew(aProcess('a'), START);
    const place = { id: 's', processId: 'a', teamId: 't' };
    await sessionPlaces.reserve(place, 1, START);
    await sessionPlaces.ended('s', START);
    assert.deepEqual(await sessionPlaces.find('s', 't', START), place);
    const later = START + 3_700 * SECOND;
    await processes.renew(aProcess('a'), later);
    await sessionPlaces.reserve({ ...place, id: 's2' }, 1, later);
    assert.equal(await sessionPlaces.find('s', 't', later), undefined);
  });
});

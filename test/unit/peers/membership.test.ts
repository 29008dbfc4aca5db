// Who counts as a process of the installation.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMembership } from '../../../src/peers/membership.ts';
import { createProcessProofs } from '../../../src/peers/process-proof.ts';
import { createLog } from '../../../src/runtime/log.ts';
import type { ProcessFacts, ProcessRegistry, ProcessRow } from '../../../src/store/ports/process-registry.ts';
import { createTestClock } from '../../support/test-clock.ts';

const SECRET = new Uint8Array(32).fill(1);

/** Rows that everybody who can write to the database can write. */
function createRegistry() {
  const rows = new Map<string, ProcessRow>();
  const registry: ProcessRegistry = {
    async renew(process, now) {
      const isNew = !rows.has(process.id);
      rows.set(process.id, { ...process, seenAt: now });
      return isNew;
    },
    list: async () => [...rows.values()],
    time: async () => undefined,
    leave: async (id) => void rows.delete(id),
  };
  return { registry, rows };
}

const aProcess = (name: string): Omit<ProcessFacts, 'id' | 'startedAt' | 'proof'> => ({
  ...{ name, role: 'browser', url: `http://${name}.example:3002`, version: '1', protocol: 1 },
  ...{ hasBrowser: true, freePages: 9, freeSessions: 9, maxConcurrency: 9 },
});

function join(registry: ProcessRegistry, name: string, secret = SECRET) {
  const membership = createMembership({
    ...{ id: name, processes: registry, proofs: createProcessProofs(secret), describe: () => aProcess(name) },
    ...{ onForgotten: async () => {}, isShared: false, clock: createTestClock(), log: createLog('silent') },
  });
  return membership.join().then(() => membership);
}

test('processes know each other if they know the same secret', async () => {
  const { registry } = createRegistry();
  await join(registry, 'a');
  await join(registry, 'stranger', new Uint8Array(32).fill(2));
  const b = await join(registry, 'b');
  assert.deepEqual(
    b.others().map(({ id }) => id),
    ['a'],
  );
  assert.equal((await b.find('a'))?.url, 'http://a.example:3002');
  assert.equal(await b.find('stranger'), undefined);
});

test('a row that was changed or copied by somebody who has only the database is nobody', async () => {
  const { registry, rows } = createRegistry();
  await join(registry, 'a');
  const genuine = rows.get('a')!;
  rows.set('a', { ...genuine, url: 'http://attacker.example' });
  rows.set('copy', { ...genuine, id: 'copy' });
  rows.set('bare', { ...genuine, id: 'bare', proof: '' });
  const b = await join(registry, 'b');
  assert.deepEqual(b.others(), []);
  for (const id of ['a', 'copy', 'bare']) assert.equal(await b.find(id), undefined);
});

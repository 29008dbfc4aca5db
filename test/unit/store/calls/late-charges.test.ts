// Charges that could not be written, or of which nobody knows whether they were, are written later: each once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../../../src/contracts/errors/errors.ts';
import { createLateCharges } from '../../../../src/store/calls/late-charges.ts';
import { createStoreHealth } from '../../../../src/store/calls/store-health.ts';
import type { Charge } from '../../../../src/store/ports/teams/ledger.ts';
import { sampleCharge } from '../../../conformance/samples.ts';

test('a charge that is written again keeps its id, and each charge has its own', async () => {
  const written: Charge[] = [];
  const isRepeated = Promise.withResolvers<void>();
  const health = createStoreHealth({ probe: async () => {} });
  const add = createLateCharges(
    async (charge) => {
      written.push(charge);
      // Its connection is lost after it has arrived.
      if (written.length === 1) throw new ServiceError('STORAGE_UNAVAILABLE');
      if (written.length === 3) isRepeated.resolve();
    },
    health,
    new AbortController().signal,
  );
  await add(sampleCharge('team', { credits: 1 }));
  await add(sampleCharge('team', { credits: 2 }));
  await isRepeated.promise;
  const ids = [1, 2].map(
    (credits) => new Set(written.filter((one) => one.credits === credits).map(({ once }) => once)),
  );
  assert.deepEqual(
    ids.map(({ size }) => size),
    [1, 1],
  );
  assert.notDeepEqual(ids[0], ids[1]);
});

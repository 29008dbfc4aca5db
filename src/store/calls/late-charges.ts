// Bills requests also while the store cannot be written: such charges wait in memory and are written when it can be again.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { uuidv7 } from '../../util/ids.ts';
import type { StoreHealth } from '../ports/store.ts';
import type { Ledger } from '../ports/teams/ledger.ts';

/** Further charges are not billed. Each takes a few hundred bytes. */
const MAX_WAITING = 20_000;

export function createLateCharges(add: Ledger['add'], health: StoreHealth, closing: AbortSignal): Ledger['add'] {
  let waiting = 0;
  const writeLater = async (charge: Parameters<Ledger['add']>[0]) => {
    if (waiting >= MAX_WAITING) return;
    waiting += 1;
    try {
      await health.persist(() => add(charge), closing);
    } catch {
      // The service closes, or the charge itself cannot be written: nobody waits for it any more.
    } finally {
      waiting -= 1;
    }
  };
  return async (given) => {
    const charge = { once: uuidv7(given.now), ...given };
    try {
      await add(charge);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'STORAGE_UNAVAILABLE') throw error;
      void writeLater(charge);
    }
  };
}

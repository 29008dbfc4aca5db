// The processes area: who shares this database, and which of them has which browser session.
import type { Base } from '../base.ts';
import { createLeaseRows } from './lease-rows.ts';
import { createProcessRows } from './process-rows.ts';
import { createSessionPlaceRows } from './session-place-rows.ts';

export function createProcessParts({ database }: Pick<Base, 'database'>) {
  return {
    ports: {
      processes: createProcessRows(database),
      sessionPlaces: createSessionPlaceRows(database),
      leases: createLeaseRows(database),
    },
  };
}

// The ports of runs and of what the service does by itself: monitors, collections, webhook calls, mails.
import type { Store } from '../../ports/store.ts';
import { type CollectionPortsDeps, createCollectionPorts } from '../collections/collection-ports.ts';
import type { Database, Remover } from '../database.ts';
import { type CallSourceDeps, createCallSource } from '../deliveries/call-source.ts';
import { createDeliveryLogRows, type DeliveryLogRows } from '../deliveries/delivery-log-rows.ts';
import type { DeliveryQueue } from '../deliveries/delivery-queue.ts';
import { createDeliveryRows, type DeliveryRows } from '../deliveries/delivery-rows.ts';
import { createMailRows, type MailRows } from '../mails/mail-rows.ts';
import { createMonitorPorts } from '../monitors/monitor-ports.ts';
import { createWatchedPageRows } from '../monitors/page-rows.ts';
import type { Sealer } from '../sealer.ts';
import type { UsedKeys } from '../used-keys.ts';
import { createBacklogRows, type Sizes } from './backlog-rows.ts';
import { createRunPorts, type RunLedger } from './run-ports.ts';
import type { RunQueueRows } from './run-queue-rows.ts';
import { createRunRows } from './run-rows.ts';

/** What the database is, and what the other areas share with this one. */
export interface RunPartsDeps {
  database: Database;
  sealed: Sealer;
  deliveries: Pick<DeliveryQueue, 'packRunEvents' | 'queueOfRun'>;
  documents: CallSourceDeps['documents'] & CollectionPortsDeps['documents'];
  scrapes: CollectionPortsDeps['scrapes'];
  ledger: RunLedger;
  usedKeys: Pick<UsedKeys, 'has' | 'add'>;
  sizes: Sizes;
}

export interface RunParts {
  ports: Pick<Store, 'runs' | 'monitors' | 'collections' | 'backlog'> & {
    runQueue: RunQueueRows;
    deliveries: DeliveryRows;
    deliveryLog: DeliveryLogRows;
    mails: MailRows;
  };
  removers: Remover[];
}

export function createRunParts(deps: RunPartsDeps): RunParts {
  const { database, sealed, sizes } = deps;
  const calls = { database, sealed, callsOf: createCallSource(deps) };
  const deliveryLog = createDeliveryLogRows(calls);
  const mails = createMailRows(database, sealed);
  const pages = createWatchedPageRows(sealed);
  const rows = createRunRows(sealed);
  const { removeExpired, ...runPorts } = createRunPorts({ ...deps, rows, removeDependents: pages.removeOfRun });
  const { monitors, removers } = createMonitorPorts({ database, sealed, runs: rows, pages });
  const { documents, scrapes } = deps;
  const collecting = createCollectionPorts({ database, sealed, runs: rows, scrapes, documents });
  return {
    ports: {
      ...{ ...runPorts, monitors, collections: collecting.collections, deliveryLog, mails },
      deliveries: createDeliveryRows(calls),
      backlog: createBacklogRows(database, sizes),
    },
    removers: [removeExpired, ...removers, ...collecting.removers, mails.removeDone, deliveryLog.removeOld],
  };
}

// The ports of runs and of what the service sends by itself: monitors, webhook calls, mails.
import type { Remover } from '../../sql/database.ts';
import { createCallSource } from '../../sql/deliveries/call-source.ts';
import { createDeliveryLogRows } from '../../sql/deliveries/delivery-log-rows.ts';
import { createDeliveryRows } from '../../sql/deliveries/delivery-rows.ts';
import { createMailRows } from '../../sql/mails/mail-rows.ts';
import type { Store } from '../../store.ts';
import type { Base } from '../base.ts';
import { createPostgresDatabase } from '../database/queries.ts';
import type { DeliveryQueue } from '../deliveries/delivery-queue.ts';
import type { DocumentJson } from '../jobs/document-json.ts';
import { createMonitorPorts } from '../monitors/monitor-ports.ts';
import { createWatchedPageRows } from '../monitors/page-rows.ts';
import type { LedgerRows } from '../teams/ledger-rows.ts';
import type { UsedKeys } from '../used-keys.ts';
import { createBacklogRows } from './backlog-rows.ts';
import { createRunPorts } from './run-ports.ts';
import { createRunRows } from './run-rows.ts';

export type RunPorts = Pick<
  Store,
  'runs' | 'runQueue' | 'monitors' | 'deliveries' | 'deliveryLog' | 'mails' | 'backlog'
>;

/** What the other areas share with this one. */
export interface RunPartsDeps {
  deliveries: DeliveryQueue;
  documentJson: Pick<DocumentJson, 'ofScrape'>;
  usedKeys: Pick<UsedKeys, 'has' | 'add'>;
  ledger: Pick<LedgerRows, 'record' | 'list'>;
  cacheBytes(): Promise<number>;
}

export interface RunParts {
  ports: RunPorts;
  removers: Remover[];
  /** Returns what this process was given to send, because it ends. */
  release(): Promise<void>;
}

export function createRunParts(base: Base, deps: RunPartsDeps): RunParts {
  const { database, sealed } = base;
  const { deliveries, documentJson, cacheBytes } = deps;
  const shared = {
    database: createPostgresDatabase(database),
    sealed: { seal: sealed.sealLarge, open: sealed.openLarge },
  };
  const documents = { ofScrape: (id: string) => documentJson.ofScrape(database.sql, id) };
  const calls = { ...shared, callsOf: createCallSource({ ...shared, documents }) };
  const deliveryLog = createDeliveryLogRows(calls);
  const pages = createWatchedPageRows(sealed);
  const rows = createRunRows(sealed);
  const { runs, runQueue, removeExpired } = createRunPorts({
    ...{ ...deps, database, sealed, rows, deliveries },
    removeDependents: pages.removeOfRun,
  });
  const { monitors, removers } = createMonitorPorts({ database, sealed, runs: rows, pages });
  const mails = createMailRows(shared.database, shared.sealed);
  const outgoing = createDeliveryRows(calls);
  return {
    ports: {
      ...{ runs, runQueue, monitors, deliveryLog, mails },
      deliveries: outgoing,
      backlog: createBacklogRows(database, cacheBytes),
    },
    release: async () => void (await Promise.all([outgoing.release(), mails.release()])),
    removers: [removeExpired, ...removers, mails.removeDone, deliveryLog.removeOld],
  };
}

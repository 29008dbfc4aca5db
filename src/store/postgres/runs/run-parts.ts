// The ports of runs and of what the service sends by itself, with what they need from the other areas.
import type { Remover } from '../../sql/database.ts';
import { createDeliveryQueue } from '../../sql/deliveries/delivery-queue.ts';
import { createRunParts as createSharedParts, type RunParts as SharedParts } from '../../sql/runs/run-parts.ts';
import { createUsedKeys } from '../../sql/used-keys.ts';
import type { Base } from '../base.ts';
import { createPostgresDatabase, type PostgresTx } from '../database/queries.ts';
import type { DocumentJson } from '../jobs/document-json.ts';
import type { LedgerRows } from '../teams/ledger-rows.ts';

/** What the other areas share with this one. */
export interface RunPartsDeps {
  documentJson: Pick<DocumentJson, 'ofScrape'>;
  ledger: Pick<LedgerRows, 'record' | 'list'>;
  cacheBytes(): Promise<number>;
}

export interface RunParts {
  ports: SharedParts['ports'];
  removers: Remover[];
  /** Returns what this process was given to send, because it ends. */
  release(): Promise<void>;
}

export function createRunParts(base: Base, { documentJson, ledger, cacheBytes }: RunPartsDeps): RunParts {
  const { sql } = base.database;
  const database = createPostgresDatabase(base.database);
  const sealed = { seal: base.sealed.sealLarge, open: base.sealed.openLarge };
  const parts = createSharedParts({
    database,
    sealed,
    deliveries: createDeliveryQueue(sealed),
    documents: { ofScrape: (id) => documentJson.ofScrape(sql, id) },
    ledger: {
      record: (tx, charge) => ledger.record((tx as PostgresTx).sql, charge),
      list: (tx, request, of) => ledger.list((tx as PostgresTx).sql, request, of),
    },
    usedKeys: createUsedKeys(database),
    sizes: { cacheBytes, storeBytes: () => databaseSize(sql) },
  });
  const { deliveries, mails } = parts.ports;
  return { ...parts, release: async () => void (await Promise.all([deliveries.release(), mails.release()])) };
}

async function databaseSize(sql: Base['database']['sql']): Promise<number> {
  const [size] = await sql<{ bytes: number }[]>`SELECT pg_database_size(current_database()) AS bytes`;
  return size!.bytes;
}

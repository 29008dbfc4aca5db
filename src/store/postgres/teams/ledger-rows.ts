// The ledger for transactions that are written for PostgreSQL only.
import type { Charge, NewRequest } from '../../ledger.ts';
import type { SqlLedger } from '../../sql/teams/ledger.ts';
import type { Sql } from '../database/database.ts';
import { transactionOn } from '../database/queries.ts';

export interface LedgerRows {
  /** Call inside the transaction of what is billed. */
  record(sql: Sql, charge: Charge): Promise<void>;
  /** Call inside the transaction that stores the job. */
  list(sql: Sql, request: NewRequest, of: Pick<Charge, 'teamId' | 'operation' | 'now'>): Promise<void>;
  /** When a charge of the team last returned content. */
  lastSuccessAt(sql: Sql, teamId: string): Promise<number | null>;
}

export const createLedgerRows = (ledger: Pick<SqlLedger, keyof LedgerRows>): LedgerRows => ({
  record: (sql, charge) => ledger.record(transactionOn(sql), charge),
  list: (sql, ...request) => ledger.list(transactionOn(sql), ...request),
  lastSuccessAt: (sql, teamId) => ledger.lastSuccessAt(transactionOn(sql), teamId),
});

// The ports of teams: who may do what, and what they used.
import type { Remover } from '../../sql/database.ts';
import { createTeamPorts, type TeamPorts } from '../../sql/teams/team-ports.ts';
import type { Base } from '../base.ts';
import { createPostgresDatabase } from '../database/queries.ts';
import { createCharges } from './charges.ts';
import { createLedgerRows, type LedgerRows } from './ledger-rows.ts';

export interface TeamParts {
  ports: TeamPorts;
  /** For the transactions of other areas. */
  ledger: LedgerRows;
  removers: Remover[];
}

export function createTeamParts({ database, sealed }: Base): TeamParts {
  const parts = createTeamPorts({
    database: createPostgresDatabase(database),
    charges: createCharges({ database }),
    sealed,
  });
  return { ...parts, ledger: createLedgerRows(parts.ports.ledger) };
}

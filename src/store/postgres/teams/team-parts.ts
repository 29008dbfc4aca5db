// The ports of teams: who may do what, and what they used.
import { createTeamPorts } from '../../sql/teams/team-ports.ts';
import type { Base } from '../base.ts';
import { createPostgresDatabase } from '../database/queries.ts';
import { createCharges } from './charges.ts';

export const createTeamParts = ({ database, sealed }: Base) =>
  createTeamPorts({
    database: createPostgresDatabase(database),
    charges: createCharges({ database }),
    sealed,
  });

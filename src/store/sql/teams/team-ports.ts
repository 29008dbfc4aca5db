// The ports of teams: who may do what, and what they used; and the notes of the service.
import type { SealedRequests } from '../../encoding/sealed-requests.ts';
import type { Database, Remover } from '../database.ts';
import { createAuditLog } from './audit-log.ts';
import { createConsoleSessions } from './console-sessions.ts';
import { createFeedback } from './feedback.ts';
import { type Charges, createLedger } from './ledger.ts';
import { createNotes } from './notes.ts';
import { createOnboarding } from './onboarding.ts';
import { createPrograms } from './programs.ts';
import { createSiemStreams } from './siem-streams.ts';
import { createTeams } from './teams.ts';
import { createThreatPolicies } from './threat-policies.ts';

export interface TeamPortsDeps {
  database: Database;
  sealed: SealedRequests;
  charges: Charges;
}

export type TeamPorts = ReturnType<typeof createTeamPorts>['ports'];

export function createTeamPorts({ database, sealed, charges }: TeamPortsDeps) {
  const { removers: oldEntries, ...ledger } = createLedger(database, charges);
  const audit = createAuditLog(database);
  const teams = createTeams(database, audit);
  const onboarding = createOnboarding(database);
  const consoleSessions = createConsoleSessions({ database, audit, keys: teams });
  const removers: Remover[] = [
    ...oldEntries,
    teams.removeExpired,
    audit.removeOld,
    ...onboarding.removers,
    ...consoleSessions.removers,
  ];
  return {
    ports: {
      ...{ teams, ledger, audit },
      onboarding: onboarding.port,
      consoleSessions: consoleSessions.port,
      threatPolicies: createThreatPolicies(database, audit),
      siem: createSiemStreams({ database, audit, sealed }),
      programs: createPrograms(database),
      feedback: createFeedback(database),
      notes: createNotes(database),
    },
    removers,
  };
}

// The ports of teams: who may do what, and what they used.

import type { Remover } from '../../sql/database.ts';
import type { Store } from '../../store.ts';
import type { Base } from '../base.ts';
import { type AuditRows, createAuditRows } from './audit-rows.ts';
import { createConsoleSessionRows } from './console-session-rows.ts';
import { createFeedbackRows } from './feedback-rows.ts';
import { createLedgerRows, type LedgerRows } from './ledger-rows.ts';
import { createNoteRows, type NoteRows } from './note-rows.ts';
import { createOnboardingRows } from './onboarding-rows.ts';
import { createProgramRows } from './program-rows.ts';
import { createSiemRows } from './siem-rows.ts';
import { createTeamRows } from './team-rows.ts';
import { createThreatPolicyRows } from './threat-policy-rows.ts';

export type TeamPorts = Pick<
  Store,
  | 'teams'
  | 'ledger'
  | 'audit'
  | 'onboarding'
  | 'consoleSessions'
  | 'threatPolicies'
  | 'siem'
  | 'notes'
  | 'programs'
  | 'feedback'
>;

export interface TeamParts {
  ports: TeamPorts;
  /** For the transactions of other areas. */
  ledger: LedgerRows;
  audit: AuditRows;
  notes: NoteRows;
  removers: Remover[];
}

export function createTeamParts(base: Base): TeamParts {
  const { database, sealed } = base;
  const ledger = createLedgerRows(base);
  const audit = createAuditRows(base);
  const notes = createNoteRows(base);
  const teams = createTeamRows({ database, audit });
  const onboarding = createOnboardingRows(base);
  const consoleSessions = createConsoleSessionRows({ database, audit, keys: teams });
  return {
    ports: {
      ...{ teams, ledger, audit, notes },
      onboarding: onboarding.port,
      consoleSessions: consoleSessions.port,
      threatPolicies: createThreatPolicyRows({ database, audit }),
      siem: createSiemRows({ database, audit, sealed }),
      programs: createProgramRows(base),
      feedback: createFeedbackRows(base),
    },
    ...{ ledger, audit, notes },
    removers: [
      ...ledger.removers,
      teams.removeExpired,
      audit.removeOld,
      ...onboarding.removers,
      ...consoleSessions.removers,
    ],
  };
}

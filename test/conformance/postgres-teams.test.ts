// The Postgres store passes the suites for teams, onboarding, sessions of the console, threat policies, the ledger, the audit log and its streams, feedback and programs.
import { describe } from 'node:test';
import { testAuditLog } from './audit.ts';
import { testConsoleSessionStore } from './console-sessions.ts';
import { testFeedbackStore } from './feedback.ts';
import { testLedger } from './ledger.ts';
import { testOnboardingStore } from './onboarding.ts';
import { hasPostgres, openPostgres } from './open-postgres.ts';
import { testProgramStore } from './programs.ts';
import { testSiemStore } from './siem.ts';
import { testTeamStore } from './teams.ts';
import { testThreatPolicyStore } from './threat-policies.ts';

describe('teams on Postgres', { skip: !hasPostgres && 'It runs with npm run test:cluster' }, () => {
  testTeamStore('postgres', openPostgres);
  testOnboardingStore('postgres', openPostgres);
  testConsoleSessionStore('postgres', openPostgres);
  testThreatPolicyStore('postgres', openPostgres);
  testLedger('postgres', openPostgres);
  testAuditLog('postgres', openPostgres);
  testSiemStore('postgres', openPostgres);
  testFeedbackStore('postgres', openPostgres);
  testProgramStore('postgres', openPostgres);
});

// Binds the audit log and its stream. They are loaded with the first request, to keep an idle service small.

import type { AUDIT_ROUTES } from '../../contracts/audit-routes.ts';
import type { Operations } from '../../operations/call.ts';
import type { AuditDeps } from '../../operations/team/audit.ts';
import type { SiemDeps } from '../../operations/team/siem.ts';

export type AuditLogDeps = AuditDeps & SiemDeps;

export function bindAudit(deps: AuditLogDeps): Pick<Operations, keyof typeof AUDIT_ROUTES> {
  const siem = () => import('../../operations/team/siem.ts');
  return {
    auditLog: async ({ caller, query }) =>
      (await import('../../operations/team/audit.ts')).auditLog(deps, caller, query),
    getSiem: async ({ caller }) => (await siem()).getSiem(deps, caller),
    setSiem: async ({ caller, body }) => (await siem()).setSiem(deps, caller, body),
    testSiem: async ({ caller }) => (await siem()).testSiem(deps, caller),
  };
}

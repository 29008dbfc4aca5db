// SQL for approved logins of the command line.
import type { LoginApprovals } from '../../ports/limits/login-approvals.ts';
import type { Remover } from '../../sql/database.ts';
import type { Base } from '../base.ts';

export interface LoginApprovalRows extends LoginApprovals {
  removeExpired: Remover;
}

export function createLoginApprovalRows({ database: { sql } }: Pick<Base, 'database'>): LoginApprovalRows {
  return {
    put: async (id, approval, expiresAt) =>
      void (await sql`
        INSERT INTO login_approvals (id, approval, expires_at) VALUES (${id}, ${approval}, ${expiresAt})
        ON CONFLICT (id) DO UPDATE SET approval = excluded.approval, expires_at = excluded.expires_at`),
    async find(id, now) {
      const [row] = await sql<{ approval: string }[]>`
        SELECT approval FROM login_approvals WHERE id = ${id} AND expires_at > ${now}`;
      return row?.approval;
    },
    remove: async (id) => (await sql`DELETE FROM login_approvals WHERE id = ${id}`).count === 1,
    removeExpired: async (now, limit) =>
      (
        await sql`DELETE FROM login_approvals WHERE id IN (
          SELECT id FROM login_approvals WHERE expires_at <= ${now} LIMIT ${limit} FOR UPDATE SKIP LOCKED)`
      ).count,
  };
}

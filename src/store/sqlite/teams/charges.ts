// Charges in a data folder. Only this process bills, so a charge is added to the totals of its hour at once.
import { startOfHour } from '../../rules/teams/ledger-times.ts';
import type { Charges } from '../../sql/teams/ledger.ts';

export const createCharges = (): Charges => ({
  async add(tx, { teamId, key, operation, job, credits, tokens = 0, succeeded, now }) {
    if (credits > 0 || tokens > 0) {
      await tx.run`
        INSERT INTO ledger (at, team_id, key, operation, job, credits, tokens)
        VALUES (${now}, ${teamId}, ${key}, ${operation}, ${job}, ${credits}, ${tokens})`;
      // The totals have no other writer, so they are always the sum of the entries.
      await tx.run`
        INSERT INTO usage (team_id, hour, key, operation, credits, tokens)
        VALUES (${teamId}, ${startOfHour(now)}, ${key ?? ''}, ${operation}, ${credits}, ${tokens})
        ON CONFLICT (team_id, hour, key, operation)
        DO UPDATE SET credits = credits + excluded.credits, tokens = tokens + excluded.tokens`;
    }
    if (succeeded) await tx.run`UPDATE teams SET last_success_at = ${now} WHERE id = ${teamId}`;
  },
  removers: [],
});

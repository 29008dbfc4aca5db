// SQL for credits that are set aside. Holds of a team change one at a time, so that no two processes spend the same credits.
import type {
  CreditClaim,
  CreditReservations,
  CreditsLeft,
  ReservationName,
} from '../../ports/limits/credit-reservations.ts';
import type { Base } from '../base.ts';
import type { Sql } from '../database/database.ts';
import { lockByName } from '../database/lock-by-name.ts';
import { isAlive, ofKnownProcess } from './live-processes.ts';

interface Account extends CreditsLeft {
  /** What the hold in question sets aside. */
  held: number;
}

export function createCreditReservationRows({ database }: Pick<Base, 'database'>): CreditReservations {
  const { sql: pool, transaction } = database;

  const change = <T>(
    name: ReservationName,
    claim: CreditClaim,
    now: number,
    work: (sql: Sql, account: Account) => Promise<T>,
  ) =>
    transaction(async (sql) => {
      await lockByName(sql, 'credits', claim.teamId);
      return work(sql, await readAccount(sql, claim, name.id, now));
    });

  return {
    extend: (name, claim, credits, now) =>
      change(name, claim, now, async (sql, { held, ...left }) => {
        if (credits > Math.max(0, Math.floor(Math.min(left.team, left.key)))) return left;
        await write(sql, name, claim, held + credits);
        return { ...left, held: held + credits };
      }),
    settle: (name, claim, credits, now) =>
      change(name, claim, now, async (sql, { held, team, key }) => {
        const most = Math.floor(held) + Math.max(0, Math.floor(Math.min(team, key)));
        const settled = Math.min(Math.ceil(credits), most);
        await write(sql, name, claim, settled);
        return settled;
      }),
    end: async (ids) => void (await pool`DELETE FROM credit_holds WHERE id = ANY(${ids as string[]})`),
    async left(claim, now) {
      const { team, key } = await readAccount(pool, claim, '', now);
      return { team, key };
    },
    isHeldFor: async (work, now) =>
      (await pool`SELECT 1 FROM credit_holds WHERE work = ${work} AND ${isAlive(pool, pool`process_id`, now)} LIMIT 1`)
        .length > 0,
  };
}

/** Charges of the month are in its totals, or among the entries of the ledger that are not counted yet. */
async function readAccount(sql: Sql, claim: CreditClaim, holdId: string, now: number): Promise<Account> {
  const { teamId, key = null, limits, month } = claim;
  const [row] = await sql<{ ofTeam: number; ofKey: number; held: number }[]>`
    SELECT coalesce(sum(credits), 0)::float8 AS "ofTeam", coalesce(sum(credits) FILTER (WHERE key = ${key}), 0)::float8 AS "ofKey",
      coalesce(sum(credits) FILTER (WHERE id = ${holdId}), 0)::float8 AS held
    FROM (
      SELECT '' AS id, key, credits FROM monthly_usage WHERE team_id = ${teamId} AND month = ${month.from}
      UNION ALL
      SELECT '', key, credits FROM ledger
      WHERE team_id = ${teamId} AND NOT is_counted AND at >= ${month.from} AND at < ${month.until}
      UNION ALL
      SELECT id, key, credits FROM credit_holds WHERE team_id = ${teamId} AND ${isAlive(sql, sql`process_id`, now)}
    ) AS charges`;
  const { ofTeam, ofKey, held } = row!;
  return { team: limits.team - ofTeam, key: key === null ? Number.POSITIVE_INFINITY : limits.key - ofKey, held };
}

const write = async (
  sql: Sql,
  { id, processId, work }: ReservationName,
  { teamId, key }: CreditClaim,
  credits: number,
) =>
  void (await ofKnownProcess(sql`
    INSERT INTO credit_holds (id, process_id, team_id, key, work, credits)
    VALUES (${id}, ${processId}, ${teamId}, ${key ?? null}, ${work ?? null}, ${credits})
    ON CONFLICT (id) DO UPDATE SET credits = excluded.credits`));

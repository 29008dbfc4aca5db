// The role in which queries run in PostgreSQL: it owns nothing, cannot log in, and reads what a transaction gives it.
import { ServiceError } from '../../../contracts/errors/errors.ts';
import type { PostgresDatabase } from '../database/database.ts';

export const QUERY_ROLE = 'trawl_query';

const INSUFFICIENT_PRIVILEGE = '42501';
const DUPLICATE = new Set(['42710', '23505']);

/** Makes the role if it is missing. Throws QUERY_ROLE_MISSING with what an administrator has to run. */
export async function ensureRole({ sql }: Pick<PostgresDatabase, 'sql'>): Promise<void> {
  const isUsable = async () => {
    const [row] = await sql<{ usable: boolean; name: string }[]>`
      SELECT current_user AS name, coalesce(
        (SELECT pg_has_role(current_user, oid, 'MEMBER') FROM pg_roles WHERE rolname = ${QUERY_ROLE}), false) AS usable`;
    return row!;
  };
  const { usable, name } = await isUsable();
  if (usable) return;
  const statement = `CREATE ROLE ${QUERY_ROLE} NOLOGIN; GRANT ${QUERY_ROLE} TO "${name.replaceAll('"', '""')}"`;
  try {
    await sql.unsafe(statement);
  } catch (error) {
    const { code = '' } = error as { code?: string };
    if (code === INSUFFICIENT_PRIVILEGE || DUPLICATE.has(code)) {
      if ((await isUsable()).usable) return;
      const message = `Queries need a role in the database that its user cannot make. Let its administrator run: ${statement};`;
      throw new ServiceError('QUERY_ROLE_MISSING', { message });
    }
    throw error;
  }
}

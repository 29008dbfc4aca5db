// Adds exchanges to archives. A payload that the team has already is named again, and not stored again.
import { surtKey } from '../../../../urls/surt.ts';
import { sha256 } from '../../../../util/hash.ts';
import type { ArchiveStore, NewArchive, NewExchange } from '../../../ports/files/archive-store.ts';
import type { Database, Tx } from '../../database.ts';
import type { Bodies, NewBody } from '../bodies.ts';
import type { ArchiveRemoval } from './archive-removal.ts';

interface WriterDeps {
  database: Database;
  bodies: Bodies;
  removal: Pick<ArchiveRemoval, 'removePart'>;
}

export function createArchiveWriter({ database, bodies, removal }: WriterDeps): ArchiveStore['add'] {
  /** Payloads that the team does not have yet, ready to be named. */
  const storeNew = async (teamId: string, exchanges: readonly NewExchange[]): Promise<Map<string, NewBody>> => {
    const fresh = new Map<string, NewBody>();
    for (const { digest, body } of exchanges) {
      if (!body || fresh.has(digest)) continue;
      const known = await database.one`
        SELECT 1 FROM archive_bodies WHERE team_id = ${teamId} AND digest = ${digest}`;
      if (!known) fresh.set(digest, await bodies.store(body));
    }
    return fresh;
  };

  const payloadOf = async (tx: Tx, teamId: string, exchange: NewExchange, fresh: NewBody | undefined) => {
    const { digest, body } = exchange;
    // Locked, so that it is not removed before the record can be seen.
    const known = await tx.one<{ id: number }>`
      SELECT id FROM archive_bodies WHERE team_id = ${teamId} AND digest = ${digest} FOR KEY SHARE`;
    if (known) return known.id;
    const missing = fresh ?? (body && (await bodies.store(body)));
    if (!missing) return undefined;
    return tx.add`
      INSERT INTO archive_bodies (team_id, digest, size, ${bodies.target})
      VALUES (${teamId}, ${digest}, ${missing.size}, ${bodies.values(tx, missing)})`;
  };

  return async (archive, part, exchanges) => {
    const { id, teamId } = archive;
    const fresh = await storeNew(teamId, exchanges);
    await bodies.whileNaming([...fresh.values()], () =>
      database.transaction(async (tx) => {
        await addArchive(tx, archive);
        await removal.removePart(tx, id, part);
        for (const exchange of exchanges) {
          const payload = await payloadOf(tx, teamId, exchange, fresh.get(exchange.digest));
          // It was to be one that is gone.
          if (payload !== undefined) await addRecord(tx, id, part, exchange, payload);
        }
      }),
    );
  };
}

/** The later end counts: each page of a job prolongs the archive of its job. */
async function addArchive(tx: Tx, archive: NewArchive): Promise<void> {
  const { id, teamId, kind, name, createdAt, expiresAt, warnings = [], keyDomains } = archive;
  await tx.run`
    INSERT INTO archives (id, team_id, kind, name, created_at, expires_at, warnings, key_domains)
    VALUES (${id}, ${teamId}, ${kind}, ${name}, ${createdAt}, ${expiresAt}, ${JSON.stringify(warnings)},
      ${keyDomains && JSON.stringify(keyDomains)})
    ON CONFLICT (id) DO UPDATE SET expires_at = greatest(archives.expires_at, excluded.expires_at),
      warnings = excluded.warnings`;
}

async function addRecord(tx: Tx, id: string, part: string, exchange: NewExchange, payload: number): Promise<void> {
  const { url, method, at, status, type, page, request, response, digest, isTruncated } = exchange;
  await tx.run`
    INSERT INTO archive_records (archive_id, part, url, url_hash, url_key, method, at, status, type, page, request, response,
      archive_body, digest, truncated)
    VALUES (${id}, ${part}, ${url}, ${sha256(url)}, ${surtKey(new URL(url))}, ${method}, ${at}, ${status}, ${type},
      ${page}, ${request}, ${response}, ${payload}, ${digest}, ${isTruncated})`;
}

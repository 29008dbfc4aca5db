// The runs of a team, newest first. Their requests are opened here for the little that a list shows of them.
import type { Connection } from '../../../util/sqlite.ts';
import type { SealedRequests } from '../../encoding/sealed-requests.ts';
import { type RecentRow, toListedRun } from '../../records/runs/run-record.ts';
import type { RunStore } from '../../run-store.ts';
import type { Served } from '../served.ts';

export function createRecentRuns(connection: Connection, sealed: SealedRequests): Served<RunStore>['recent'] {
  const list = connection.prepare<RecentRow>(LIST);
  return (teamId, { kinds, statuses, after, limit }, now) =>
    list
      .all(
        teamId,
        after?.at ?? Number.MAX_SAFE_INTEGER,
        after?.id ?? '',
        JSON.stringify(kinds),
        statuses === undefined ? null : JSON.stringify(statuses),
        now,
        limit,
      )
      .map((row) => toListedRun(row, row.request === null ? undefined : sealed.open(row.request, teamId)));
}

const LIST = `SELECT id, kind, group_id AS "group", status, credits, error, stop_reason AS stopReason, created_at AS createdAt,
    finished_at AS finishedAt, expires_at AS expiresAt,
    CASE WHEN zero_data_retention = 1 THEN NULL ELSE request END AS request
  FROM runs INDEXED BY runs_by_age
  WHERE team_id = ?1 AND (created_at, id) < (?2, ?3)
    AND kind IN (SELECT value FROM json_each(?4)) AND (?5 IS NULL OR status IN (SELECT value FROM json_each(?5)))
    AND (status IN ('queued', 'running') OR expires_at > ?6)
  ORDER BY created_at DESC, id DESC LIMIT ?7`;

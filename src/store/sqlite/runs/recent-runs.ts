// The runs of a team, newest first. Their requests are opened here for the little that a list shows of them.
import type { Connection } from '../../../util/sqlite.ts';
import type { ListedRun, RunStore } from '../../run-store.ts';
import type { SealedRequests, SealedText } from '../sealed-requests.ts';
import type { Served } from '../served.ts';

const MAX_TARGET = 300;

type Row = Pick<ListedRun, 'id' | 'kind' | 'status' | 'credits' | 'createdAt' | 'expiresAt'> & {
  group: string | null;
  error: string | null;
  stopReason: string | null;
  finishedAt: number | null;
  /** Null with zero data retention. */
  request: SealedText | null;
};

export function createRecentRuns(connection: Connection, sealed: SealedRequests): Served<RunStore>['recent'] {
  const list = connection.prepare<Row>(LIST);
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
      .map(({ group, error, stopReason, finishedAt, request, ...run }) => {
        const target = request === null ? undefined : targetOf(sealed.open(request, teamId));
        return {
          ...run,
          ...(group !== null && { group }),
          ...(error !== null && { error }),
          ...(stopReason !== null && { stopReason }),
          ...(finishedAt !== null && { finishedAt }),
          ...(target !== undefined && { target }),
        };
      });
}

/** Requests of agents and extractions have a prompt or URLs, those of checks the definition of their monitor. */
function targetOf(request: unknown): string | undefined {
  const { prompt, urls, definition } = (request ?? {}) as {
    prompt?: string;
    urls?: string[];
    definition?: { name: string };
  };
  return (prompt || urls?.[0] || definition?.name)?.slice(0, MAX_TARGET);
}

const LIST = `SELECT id, kind, group_id AS "group", status, credits, error, stop_reason AS stopReason, created_at AS createdAt,
    finished_at AS finishedAt, expires_at AS expiresAt,
    CASE WHEN zero_data_retention = 1 THEN NULL ELSE request END AS request
  FROM runs INDEXED BY runs_by_age
  WHERE team_id = ?1 AND (created_at, id) < (?2, ?3)
    AND kind IN (SELECT value FROM json_each(?4)) AND (?5 IS NULL OR status IN (SELECT value FROM json_each(?5)))
    AND (status IN ('queued', 'running') OR expires_at > ?6)
  ORDER BY created_at DESC, id DESC LIMIT ?7`;

// The requests of a team in the last 24 hours, newest first. A cursor names the last request that was returned.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { ActivityResponse } from '../../contracts/team/team.ts';
import { mayList } from '../../policy/keys/key-reach.ts';
import type { Ledger, RecentRequest } from '../../store/ports/teams/ledger.ts';
import { type Clock, iso } from '../../util/clock.ts';
import { isUuid } from '../../util/ids.ts';
import type { Call } from '../call.ts';

interface ActivityDeps {
  ledger: Pick<Ledger, 'activity'>;
  clock: Pick<Clock, 'now'>;
}

const WINDOW_MS = 24 * 3_600_000;

export async function activity(
  { ledger, clock }: ActivityDeps,
  { caller, query: { endpoint, limit, cursor } }: Call<'activity'>,
): Promise<ActivityResponse> {
  const since = clock.now() - WINDOW_MS;
  const after = cursor === undefined ? undefined : readCursor(cursor);
  // One more than is returned shows whether there are more.
  const found = await ledger.activity(caller.team.id, { operation: endpoint, since, after, limit: limit + 1 });
  const returned = found.slice(0, limit);
  const hasMore = found.length > limit;
  return {
    success: true,
    data: returned
      .filter(({ target }) => mayList(caller, target))
      .map(({ id, operation, target, at }) => ({
        id,
        endpoint: operation,
        api_version: 'v2',
        created_at: iso(at),
        target,
      })),
    cursor: hasMore ? writeCursor(returned.at(-1)!) : null,
    has_more: hasMore,
  };
}

const writeCursor = ({ at, id }: RecentRequest): string => Buffer.from(`${at} ${id}`).toString('base64url');

function readCursor(cursor: string): { at: number; id: string } {
  const [at = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split(' ');
  if (!/^\d{1,15}$/.test(at) || !isUuid(id)) throw new ServiceError('BAD_REQUEST', { message: 'Invalid cursor.' });
  return { at: Number(at), id };
}

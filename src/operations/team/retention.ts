// How long the results of a request are kept: as it says, within what the operator allows, else as its team does.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { retentionMs, shownRetention } from '../../contracts/retention.ts';
import type { Caller } from '../caller.ts';

export interface RetentionDeps {
  /** The longest that the operator allows. */
  maxRetentionMs: number;
}

interface Asked {
  retention?: string | undefined;
  zeroDataRetention?: boolean;
}

/** Undefined if neither the request nor the team says it. */
export function retentionOf(
  { maxRetentionMs }: RetentionDeps,
  { team }: Pick<Caller, 'team'>,
  { retention, zeroDataRetention }: Asked,
): number | undefined {
  if (retention === undefined) {
    const usual = team.settings?.retention;
    return usual === undefined || zeroDataRetention ? undefined : Math.min(retentionMs(usual), maxRetentionMs);
  }
  if (zeroDataRetention) throw refused('Nothing is kept with `zeroDataRetention`. Leave `retention` out.');
  const ms = retentionMs(retention);
  if (ms <= maxRetentionMs) return ms;
  const most = shownRetention(maxRetentionMs);
  throw refused(`\`retention\` may be at most ${most} on this server (TRAWL_MAX_RETENTION). Ask for less.`);
}

const refused = (message: string): ServiceError =>
  new ServiceError('BAD_REQUEST', { message, details: [{ code: 'custom', path: ['retention'], message }] });

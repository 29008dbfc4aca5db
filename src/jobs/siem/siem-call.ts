// Sends audit events to the collector of a team, as JSON lines.

import { readVersion } from '../../runtime/version.ts';
import type { StoredAuditEvent } from '../../store/ports/teams/audit-log.ts';
import type { SiemSettings } from '../../store/ports/teams/siem-store.ts';
import type { SendFailure } from '../deliveries/delivery-loop.ts';
import { createPostCall, hasHeader, type PostCallDeps, withoutHeaders } from '../deliveries/post-call.ts';
import { showEvent } from './show-event.ts';

/** Resolves with undefined on success. Rejects only when `signal` aborts. */
export type SiemCall = (
  batch: { settings: SiemSettings; team: string; events: readonly StoredAuditEvent[] },
  signal: AbortSignal,
) => Promise<SendFailure | undefined>;

const SERVICE = 'trawl';
const CONTENT_TYPE = 'Content-Type';

export function createSiemCall(deps: PostCallDeps): SiemCall {
  const userAgent = `Trawl-SIEM/${readVersion()}`;
  const post = createPostCall('audit events', deps);

  const headersOf = ({ headers, token }: SiemSettings): Record<string, string> => {
    const theirs = withoutHeaders(headers, token === undefined ? [CONTENT_TYPE] : [CONTENT_TYPE, 'Authorization']);
    return {
      ...(!hasHeader(theirs, 'user-agent') && { 'User-Agent': userAgent }),
      ...theirs,
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      [CONTENT_TYPE]: 'application/x-ndjson',
    };
  };

  return async ({ settings, team, events }, signal) => {
    const lines = events.map((event) => `${JSON.stringify({ ...showEvent(event, team), service: SERVICE })}\n`);
    const body = Buffer.from(lines.join(''));
    return (await post({ url: settings.url, headers: headersOf(settings), body }, signal)).failure;
  };
}

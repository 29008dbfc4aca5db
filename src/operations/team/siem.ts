// Where a team streams its audit events to. The stream itself runs in jobs/siem.

import { ServiceError } from '../../contracts/errors/errors.ts';
import { auditTarget } from '../../contracts/team/audit-target.ts';
import type { SiemRequest, SiemResponse, SiemState, SiemTestResponse } from '../../contracts/team/siem.ts';
import type { SiemCall } from '../../jobs/siem/siem-call.ts';
import type { Egress } from '../../net/egress.ts';
import type { SiemSettings, SiemStore, SiemStream } from '../../store/ports/teams/siem-store.ts';
import { HIDDEN, shownUrl } from '../../urls/shown-url.ts';
import { type Clock, iso } from '../../util/clock.ts';
import type { Call } from '../call.ts';
import { targetUrl } from '../page/target-url.ts';

interface SiemDeps {
  siem: Pick<SiemStore, 'read' | 'write'>;
  siemStream: {
    call: SiemCall;
    /** Call when a stream may have something to send. */
    wake(): void;
    /** Whether the collector may be reached without TLS: the operator has listed its host. */
    isListed(host: string): boolean;
  };
  egress: Pick<Egress, 'check'>;
  clock: Pick<Clock, 'now'>;
}

export async function getSiem({ siem }: Pick<SiemDeps, 'siem'>, { caller }: Call<'getSiem'>): Promise<SiemResponse> {
  return { success: true, data: showStream(await siem.read(caller.team.id)) };
}

export async function setSiem(deps: SiemDeps, { caller, body }: Call<'setSiem'>): Promise<SiemResponse> {
  const { siem, siemStream, clock } = deps;
  const { id: teamId } = caller.team;
  const url = collectorUrl(deps, body.destination.url);
  const settings = withSecrets(body, url, (await siem.read(teamId))?.settings);
  const change = { at: clock.now(), teamId, actor: caller.key ?? 'system', address: caller.address };
  const details = { enabled: body.enabled, events: settings.events.join(',') || 'all' };
  await siem.write(
    { isEnabled: body.enabled, settings },
    { ...change, action: 'siem.changed', target: auditTarget(url), details },
  );
  siemStream.wake();
  return { success: true, data: showStream(await siem.read(teamId)) };
}

/** Also for a stream that is not enabled yet: a collector is tried before it is relied on. */
export async function testSiem(deps: SiemDeps, { caller }: Call<'testSiem'>): Promise<SiemTestResponse> {
  const { team, key, address, signal } = caller;
  const settings = (await deps.siem.read(team.id))?.settings;
  if (!settings) throw new ServiceError('SIEM_NOT_CONFIGURED');
  const event = { id: 0, at: deps.clock.now(), teamId: team.id, actor: key ?? 'system', address };
  const events = [{ ...event, action: 'siem.changed' as const, details: { test: true } }];
  const failure = await deps.siemStream.call({ settings, team: team.name, events }, signal);
  return { success: true, data: failure ? { delivered: false, error: failure.reason } : { delivered: true } };
}

function collectorUrl({ egress, siemStream }: SiemDeps, text: string): URL {
  const path = ['destination', 'url'];
  if (text.includes(HIDDEN)) throw badRequest('Parts of this URL are hidden. Send it in full.', path);
  const url = targetUrl(text, egress, path);
  if (url.protocol === 'https:' || siemStream.isListed(url.host)) return url;
  throw badRequest('A collector needs an https URL. Plain http is only for hosts in TRAWL_ALLOW_NETWORKS.', path);
}

/** Secrets that are not sent again stay, but never go to another address than the one they were given for. */
function withSecrets({ destination, events }: SiemRequest, url: URL, stored: SiemSettings | undefined): SiemSettings {
  const isSameOrigin = stored !== undefined && new URL(stored.url).origin === url.origin;
  const hadSecrets = stored !== undefined && (stored.token !== undefined || Object.keys(stored.headers).length > 0);
  if (hadSecrets && !isSameOrigin && (destination.token === undefined || destination.headers === undefined)) {
    throw badRequest(
      'The address of the collector changes, so send `token` and `headers` again; empty ones remove them.',
      ['destination'],
    );
  }
  const token = destination.token ?? stored?.token ?? '';
  const headers = destination.headers ?? stored?.headers ?? {};
  return { url: url.href, headers, events, ...(token !== '' && { token }) };
}

const badRequest = (message: string, path: string[]): ServiceError =>
  new ServiceError('BAD_REQUEST', { message, details: [{ code: 'custom', path, message }] });

function showStream(stream: SiemStream | undefined): SiemState {
  const { settings } = stream ?? {};
  return {
    configured: stream !== undefined,
    enabled: stream?.isEnabled ?? false,
    destination: settings
      ? {
          type: 'http',
          url: shownUrl(settings.url),
          format: 'ndjson',
          hasToken: settings.token !== undefined,
          headerNames: Object.keys(settings.headers),
        }
      : null,
    events: settings?.events ?? [],
    updatedAt: isoOrNull(stream?.updatedAt),
    lastDeliveredAt: isoOrNull(stream?.lastDeliveredAt),
    failingSince: isoOrNull(stream?.failingSince),
    lastError: stream?.lastError ?? null,
    backlog: stream?.backlog ?? 0,
  };
}

const isoOrNull = (time: number | undefined): string | null => (time === undefined ? null : iso(time));

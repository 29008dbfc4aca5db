// The sessions of this process in the directory of all processes: reserved before they open, entered, and left when they end.

import { OpenElsewhere } from '../contracts/browser/open-elsewhere.ts';
import { ServiceError } from '../contracts/errors/errors.ts';
import type { Log } from '../runtime/log.ts';
import type { SessionDirectory, SessionPlace } from '../store/ports/session-directory.ts';
import type { Clock } from '../util/clock.ts';
import { hashToken } from './hash-token.ts';
import type { OpenSession } from './open-session.ts';
import type { BrowserSession, NewSession } from './session.ts';

export interface SessionPlaces {
  /** Throws TOO_MANY_SESSIONS, or OpenElsewhere. */
  reserve(id: string, wanted: NewSession): Promise<void>;
  /** Without an entry other processes would not find it, so it ends if that fails. */
  enter(opened: OpenSession, wanted: NewSession): Promise<void>;
  /** After the directory has forgotten them. */
  enterAgain(open: readonly OpenSession[]): Promise<void>;
  /** Never rejects. */
  leave(id: string): Promise<void>;
}

interface Deps {
  places: Pick<SessionDirectory, 'reserve' | 'opened' | 'ended'>;
  processId: string;
  maxPerTeam: number;
  clock: Clock;
  log: Log;
}

const RETRY_SECONDS = 30;

export function createSessionPlaces(
  { places, processId, maxPerTeam, clock, log }: Deps,
  isOpen: (id: string) => boolean,
): SessionPlaces {
  const scrapes = new WeakMap<BrowserSession, string>();
  const placeOf = (id: string, teamId: string, scrape: string | undefined): SessionPlace => ({
    ...{ id, processId, teamId },
    ...(scrape !== undefined && { scrape }),
  });
  const enter = ({ session }: OpenSession) =>
    places.opened(placeOf(session.id, session.teamId, scrapes.get(session)), tokenHashes(session));

  return {
    async reserve(id, { teamId, scrape }) {
      const place = placeOf(id, teamId, scrape);
      // Sessions that are starting count, too: the limit must hold for requests that come at the same time.
      let result = await places.reserve(place, maxPerTeam, clock.now());
      if (typeof result === 'object' && result.takenBy.processId === processId && !isOpen(result.takenBy.id)) {
        // It has just ended.
        await places.ended(result.takenBy.id, clock.now());
        result = await places.reserve(place, maxPerTeam, clock.now());
      }
      if (result === 'too many') throw tooMany(maxPerTeam);
      if (result !== 'reserved') throw new OpenElsewhere(result.takenBy.processId);
    },
    async enter(opened, { scrape }) {
      if (scrape !== undefined) scrapes.set(opened.session, scrape);
      try {
        await enter(opened);
      } catch (error) {
        await opened.end();
        throw error;
      }
    },
    async enterAgain(open) {
      for (const opened of open) await enter(opened);
    },
    async leave(id) {
      await places.ended(id, clock.now()).catch((error: unknown) => {
        log.error({ err: error, session: id }, 'the end of a session could not be noted');
      });
    },
  };
}

/** The directory finds a session by these. Only a session that can be watched is found by the tokens for that. */
const tokenHashes = ({ tokens, streamWebView }: BrowserSession): string[] => [
  hashToken('cdp', tokens.cdp),
  ...(streamWebView ? [hashToken('view', tokens.view), hashToken('control', tokens.control)] : []),
];

const tooMany = (max: number) =>
  new ServiceError('TOO_MANY_SESSIONS', {
    message: `You have reached the maximum number of active browser sessions (${max}). End one, or wait until one expires.`,
    retryAfter: RETRY_SECONDS,
  });

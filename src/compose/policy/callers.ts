// Puts together who may call the service: with a key, with a session of the console, or without a key.
import { createHmac } from 'node:crypto';
import { createAuthenticate } from '../../api/callers/auth.ts';
import type { Config } from '../../config/settings.ts';
import { type ConsoleSessions, createConsoleSessions } from '../../operations/console/console-sessions.ts';
import { browserUrl, consoleUrl } from '../../operations/console/console-url.ts';
import { createSessionCookie } from '../../operations/console/session-cookie.ts';
import { createKeyWatch } from '../../operations/team/key-watch.ts';
import type { Budgets } from '../../policy/budgets/budgets.ts';
import type { Log } from '../../runtime/log.ts';
import type { Store } from '../../store/ports/store.ts';
import type { Team } from '../../store/ports/teams/team-store.ts';
import type { Clock } from '../../util/clock.ts';
import { composeKeyless } from '../onboarding.ts';

interface Base {
  store: Store;
  budgets: Budgets;
  /** Secret of the data folder. */
  secret: Uint8Array;
  operatorTeam(): Promise<Team>;
  /** Counts calls with invalid keys, and reports them to the operator's team. */
  wrongKeys(operatorTeam: Team): (address: string) => void;
  clock: Clock;
  log: Log;
}

const NAME_LENGTH = 8;

export async function composeCallers(
  config: Config,
  { store, budgets, secret, operatorTeam, wrongKeys, clock, log }: Base,
) {
  const defaultTeam = await operatorTeam();
  const onWrongKey = wrongKeys(defaultTeam);
  const { teams, consoleSessions } = store;
  const authenticate = createAuthenticate({ ...config, mode: config.auth, operatorTeam, teams, onWrongKey, clock });
  const keyless = await composeKeyless(config, { store, budgets, secret, clock });
  // Sockets of a session end with it, as those of a key do.
  const sessionWatch = createKeyWatch({ teams: consoleSessions, clock, log });
  store.wakeUps.on('keys', sessionWatch.check);
  const sessions = createConsoleSessions({
    ...{ sessions: consoleSessions, operatorTeam, apiKey: config.apiKey, clock },
    onSessionsEnded: () => store.wakeUps.notify('keys'),
  });
  const installation = createHmac('sha256', secret).update('console cookie').digest('hex').slice(0, NAME_LENGTH);
  const console = { sessions, cookie: createSessionCookie(installation) };
  return { defaultTeam, authenticate, keyless, console, sessionWatch };
}

/** The address of the console; with authentication, it logs one person in, unless the store cannot be written. */
export async function openConsole(
  { publicUrl, auth }: Pick<Config, 'publicUrl' | 'auth'>,
  url: string,
  sessions: Pick<ConsoleSessions, 'createLink'>,
): Promise<string> {
  // A full disk keeps nobody from starting the service, or from logging in with a key.
  const link = auth === 'off' ? undefined : await sessions.createLink().catch(() => undefined);
  return consoleUrl(publicUrl ?? browserUrl(url), link);
}

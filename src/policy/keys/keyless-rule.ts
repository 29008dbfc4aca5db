// Callers without a key share a team, so they may not use what a team finds again by a name or an address: others would.
import { ServiceError } from '../../contracts/errors.ts';
import type { RequestRule } from '../policy-stage.ts';

interface Shared {
  profile?: unknown;
  formats?: readonly { type: string }[];
  scrapeOptions?: Shared;
}

export const checkKeyless: RequestRule = (caller, _policy, body) => {
  if (caller.isKeyless) refuseShared(body as Shared | undefined);
};

function refuseShared({ profile, formats = [], scrapeOptions }: Shared = {}): void {
  if (profile !== undefined) throw needsKey('`profile`');
  if (formats.some(({ type }) => type === 'changeTracking')) throw needsKey("The format 'changeTracking'");
  if (scrapeOptions) refuseShared(scrapeOptions);
}

const needsKey = (what: string) =>
  new ServiceError('KEY_RESTRICTED', { message: `${what} needs a key. GET /auth.md says how to get one.` });

// Callers without a key share a team, so they may not use what a team finds again by a name or an address: others would.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { formatsOf } from '../../contracts/formats/format-traits.ts';
import type { Asked } from '../asked.ts';

/** Throws KEY_RESTRICTED. */
export function checkKeyless({ profile, formats = [], scrapeOptions }: Asked): void {
  if (profile !== undefined) throw needsKey('`profile`');
  const remembered = formatsOf('history').find((format) => formats.some(({ type }) => type === format));
  if (remembered) throw needsKey(`The format '${remembered}'`);
  if (scrapeOptions) checkKeyless(scrapeOptions);
}

const needsKey = (what: string) =>
  new ServiceError('KEY_RESTRICTED', { message: `${what} needs a key. GET /auth.md says how to get one.` });

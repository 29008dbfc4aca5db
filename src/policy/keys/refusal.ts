// What a restricted key answers: what it may do, and what of the request goes beyond that.
import { ServiceError } from '../../contracts/errors/errors.ts';

const MAX_LISTED = 20;

/** `Request blocked: this API key is restricted to the following formats: markdown. Requested formats not allowed: html.` */
export const restricted = (
  kind: string,
  allowed: readonly string[],
  refused: string,
  names: readonly string[],
  key = 'this API key',
) =>
  new ServiceError('KEY_RESTRICTED', {
    message: `Request blocked: ${key} is restricted to the following ${kind}: ${list(allowed)}. Requested ${refused} not allowed: ${list(names)}.`,
  });

/** For work of the team that others have started, with fewer limits. */
export const outOfReach = (kind: string, allowed: readonly string[]) =>
  new ServiceError('KEY_RESTRICTED', {
    message: `Request blocked: this API key is restricted to the following ${kind}: ${list(allowed)}. What you asked for was started without this limit. Use the key that started it, or one without limits.`,
  });

export const paidByAnother = (monthlyCredits: number) =>
  new ServiceError('KEY_RESTRICTED', {
    message: `Request blocked: this API key has a budget of ${monthlyCredits} credits a month, and another key pays for what it asks to continue. Use the key that started it, or one without limits.`,
  });

function list(names: readonly string[]): string {
  const shown = names.slice(0, MAX_LISTED).join(', ');
  return names.length > MAX_LISTED ? `${shown} and ${names.length - MAX_LISTED} more` : shown;
}

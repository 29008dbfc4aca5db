// Values of headers, which everyone with a key of the team could see otherwise: answers name the headers only.
import { ServiceError } from '../../contracts/errors.ts';

const HIDDEN = '[hidden]';

export const hideHeaders = (headers: object): Record<string, string> =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, HIDDEN]));

/** A caller who sends back what an answer showed would replace the values. */
export function refuseHiddenHeaders(headers: object, path: (string | number)[]): void {
  if (!Object.values(headers).includes(HIDDEN)) return;
  const message = `Answers do not show the values of headers: send the values themselves instead of "${HIDDEN}".`;
  throw new ServiceError('BAD_REQUEST', { message, details: [{ code: 'custom', path, message }] });
}

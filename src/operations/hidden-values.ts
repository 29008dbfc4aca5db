// What answers hide of stored requests, since everyone with a key of the team can see them: values of headers, and what
// actions do.
import { ServiceError } from '../contracts/errors/errors.ts';

const HIDDEN = '[hidden]';

export const hideHeaders = (headers: object): Record<string, string> =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, HIDDEN]));

export const hideActions = (actions: readonly { type: string }[]): { type: string }[] =>
  actions.map(({ type }) => ({ type }));

/** A caller who sends back what an answer showed would replace the values. */
export function refuseHiddenHeaders(headers: object, path: (string | number)[]): void {
  if (!Object.values(headers).includes(HIDDEN)) return;
  const message = `Answers do not show the values of headers: send the values themselves instead of "${HIDDEN}".`;
  throw new ServiceError('BAD_REQUEST', { message, details: [{ code: 'custom', path, message }] });
}

// Cursors of lists that are sorted by time: the time and the name of the last entry that was returned.
import { ServiceError } from '../../../contracts/errors/errors.ts';

export const writeCursor = (at: number, name: string | number): string =>
  Buffer.from(`${at} ${name}`).toString('base64url');

/** `isName` says whether the second part can be a name of the list. */
export function readCursor(cursor: string, isName: (text: string) => boolean): { at: number; name: string } {
  const [at = '', name = '', ...rest] = Buffer.from(cursor, 'base64url').toString().split(' ');
  if (!/^\d{1,15}$/.test(at) || !isName(name) || rest.length > 0) {
    throw new ServiceError('BAD_REQUEST', { message: 'Invalid cursor. Send the `cursor` of the page before.' });
  }
  return { at: Number(at), name };
}

// A place in the feed of a collection, as callers get it: which collection, and which of its changes. Another collection of the
// same name has other cursors.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { StoredCollection } from '../../store/ports/collections/collection-store.ts';
import { sha256 } from '../../util/hash.ts';

const CURSOR = /^([0-9a-f]{12})\.(\d{1,15})$/;
const ID_LENGTH = 32;

type Place = Pick<StoredCollection, 'id' | 'lastChange' | 'forgotten'>;

const tagOf = ({ id }: Pick<Place, 'id'>): string => id.slice(-12);

export const cursorAt = (collection: Pick<Place, 'id'>, change: number): string => `${tagOf(collection)}.${change}`;

/** Throws CURSOR_GONE. */
export function readCursor(collection: Place, cursor: string): number {
  const [, tag, digits] = CURSOR.exec(cursor) ?? [];
  const change = Number(digits);
  if (tag !== tagOf(collection) || change > collection.lastChange || change < collection.forgotten)
    throw new ServiceError('CURSOR_GONE');
  return change;
}

/** The name of a page in lists: the same as long as its URL is. */
export const documentId = (url: string): string => sha256(url).slice(0, ID_LENGTH);

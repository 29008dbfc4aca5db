// Index entries as the transactions of pages change them. Each change gets a number, which the index follows; how is up to the
// dialect.
import type { PageOwner } from '../../../page/page-owner.ts';
import type { EntrySource } from '../../rules/pages/entry-source.ts';
import type { Tx } from '../database.ts';
import type { BodyColumns, NewBody } from './bodies.ts';

export interface IndexEntries {
  /** Call it inside the transaction, before `put` and `remove`. It is one query, so it can be sent together with others. */
  lock(tx: Tx, owner: PageOwner, url: string): Promise<LockedEntry>;
  /** Like `remove`, changes nothing if the entry was made from a better variant of the page that is still fresh. */
  put(tx: Tx, locked: LockedEntry, entry: NewBody, source: EntrySource, now: number): Promise<void>;
  /** Without a source, removes the entry in any case. True if there was one. */
  remove(tx: Tx, locked: LockedEntry, source?: EntrySource): Promise<boolean>;
}

export interface LockedEntry {
  owner: PageOwner;
  url: string;
  /** Absent if there was no row to lock. */
  known?: KnownEntry;
}

export interface KnownEntry extends EntrySource, BodyColumns {
  /** In SQLite, the number of its last change. */
  id: number;
  firstSeenAt: number;
  /** False if the page is to be removed from the index. */
  exists: boolean;
}

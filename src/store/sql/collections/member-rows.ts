// The rows of members: each change of one takes the next number of its collection, which the transaction has locked.
import { uuidv7 } from '../../../util/ids.ts';
import type { SealedText } from '../../encoding/sealed-requests.ts';
import { PAGES, type SavedPages, type SeenPage } from '../../ports/collections/member-store.ts';
import type { CollectionRow } from '../../rules/collections/collection-record.ts';
import { type Fragment, sql, type Tx } from '../database.ts';
import type { ScrapeRows } from '../pages/scrape-rows.ts';

export interface MemberRows {
  save(tx: Tx, collection: CollectionRow, page: SeenPage, by: Sighting): Promise<keyof SavedPages | undefined>;
  /** Deletes members that this condition chooses; their places in the feed stay for as long as the collection says. */
  delete(tx: Tx, collection: CollectionRow, chosen: Fragment, now: number, limit: number): Promise<number>;
  /** Deletes the member at this URL, also one that was never read. */
  remove(tx: Tx, collection: CollectionRow, url: string, now: number): Promise<number>;
}

/** Which run has found a page, and with which target. */
export interface Sighting {
  /** Null for an upload. */
  run: number | null;
  targetId: string;
  options: SealedText;
  now: number;
}

interface Known {
  number: number;
  targetId: string;
  state: 'waiting' | 'present' | 'gone';
  hash: string | null;
  scrapeId: string | null;
}

export function createMemberRows({ scrapes }: { scrapes: Pick<ScrapeRows, 'keep' | 'letGo'> }): MemberRows {
  /** False if the content is not stored any more, so nothing is known of the page. */
  const write = async (
    tx: Tx,
    collection: CollectionRow,
    known: Known | undefined,
    { url, finalUrl }: SeenPage,
    { hash, chunkIds, scrapeId }: Extract<SeenPage['found'], { state: 'read' }>,
    { run, targetId, options, now }: Sighting,
  ): Promise<boolean> => {
    const { number, teamId } = collection;
    const id = uuidv7(now);
    if (!(await scrapes.keep(tx, scrapeId, { id, teamId, options }))) return false;
    if (known?.scrapeId) await scrapes.letGo(tx, [known.scrapeId]);
    collection.lastChange += 1;
    if (known?.state !== 'present') collection.pages += 1;
    const change = collection.lastChange;
    const ids = JSON.stringify(chunkIds);
    if (known)
      await tx.run`
        UPDATE collection_members SET target_id = ${targetOf(known, targetId)}, final_url = ${finalUrl ?? null}, state = 'present',
          change = ${change}, changed_at = ${now}, hash = ${hash}, chunk_ids = ${ids}, scrape_id = ${id},
          seen_run = ${run}, gone_run = NULL, problem_run = NULL, problem = NULL, forget_at = NULL
        WHERE number = ${known.number}`;
    else
      await tx.run`
        INSERT INTO collection_members (collection, team_id, target_id, url, final_url, state, change, changed_at, hash,
          chunk_ids, scrape_id, seen_run)
        VALUES (${number}, ${teamId}, ${targetId}, ${url}, ${finalUrl ?? null}, 'present', ${change}, ${now}, ${hash},
          ${ids}, ${id}, ${run})`;
    return true;
  };

  const note = (tx: Tx, known: Known, { run, targetId }: Sighting, problem: string) => tx.run`
    UPDATE collection_members SET target_id = ${targetOf(known, targetId)}, seen_run = ${run}, problem_run = ${run},
      problem = ${problem} WHERE number = ${known.number}`;

  const deleteChosen: MemberRows['delete'] = async (tx, collection, chosen, now, limit) => {
    const members = await tx.rows<{ number: number; scrapeId: string | null }>`
      SELECT number, scrape_id AS "scrapeId" FROM collection_members
      WHERE ${chosen} AND state = 'present' ORDER BY number LIMIT ${limit}`;
    for (const { number } of members) {
      collection.lastChange += 1;
      await tx.run`
        UPDATE collection_members SET state = 'gone', change = ${collection.lastChange}, changed_at = ${now},
          scrape_id = NULL, gone_run = NULL, problem_run = NULL, problem = NULL, forget_at = ${now + collection.keepMs}
        WHERE number = ${number}`;
    }
    collection.pages -= members.length;
    await scrapes.letGo(
      tx,
      members.flatMap(({ scrapeId }) => scrapeId ?? []),
    );
    return members.length;
  };

  return {
    async save(tx, collection, page, by) {
      const { found } = page;
      const known = await tx.one<Known>`
        SELECT number, target_id AS "targetId", state, hash, scrape_id AS "scrapeId" FROM collection_members
        WHERE collection = ${collection.number} AND url_key(url) = url_key(${page.url})`;
      const isThere = known?.state === 'present';
      if (found.state === 'read') {
        if (isThere && known.hash === found.hash) {
          await tx.run`
            UPDATE collection_members SET target_id = ${targetOf(known, by.targetId)},
              final_url = ${page.finalUrl ?? null}, seen_run = ${by.run}, gone_run = NULL, problem_run = NULL, problem = NULL WHERE number = ${known.number}`;
          return 'same';
        }
        if (await write(tx, collection, known, page, found, by)) return isThere ? 'changed' : 'added';
        if (!known) return undefined;
        await note(tx, known, by, LOST);
        return 'problems';
      }
      // What was never there cannot be gone, and its faults are nobody's business.
      if (!known || known.state === 'gone') return undefined;
      if (found.state === 'gone' && isThere) {
        await tx.run`
          UPDATE collection_members SET target_id = ${targetOf(known, by.targetId)}, seen_run = ${by.run},
            gone_run = ${by.run}, problem_run = NULL, problem = NULL WHERE number = ${known.number}`;
        return 'gone';
      }
      await note(tx, known, by, found.state === 'gone' ? NOT_THERE : found.problem);
      return 'problems';
    },

    delete: deleteChosen,
    async remove(tx, collection, url, now) {
      const { number, keepMs } = collection;
      const isIt = sql`collection = ${number} AND url_key(url) = url_key(${url})`;
      const unread = await tx.run`DELETE FROM collection_members WHERE ${isIt} AND change IS NULL`;
      // It was deleted before and then added again: its place in the feed is that of the deletion.
      const waiting = await tx.run`
        UPDATE collection_members SET state = 'gone', forget_at = ${now + keepMs} WHERE ${isIt} AND state = 'waiting'`;
      return unread + waiting + (await deleteChosen(tx, collection, isIt, now, 1));
    },
  };
}

/** What somebody added stays added, whatever else reaches it. */
const targetOf = (known: Known, targetId: string): string => (known.targetId === PAGES ? PAGES : targetId);

const LOST = 'The stored content of the page is lost.';
const NOT_THERE = 'The page does not exist.';

type Of = Pick<CollectionRow, 'number' | 'teamId'>;

export const saidGoneBy = ({ number }: Of, run: number): Fragment => sql`collection = ${number} AND gone_run = ${run}`;
export const notReachedBy = ({ number }: Of, run: number, targetId: string): Fragment =>
  sql`collection = ${number} AND target_id = ${targetId} AND seen_run < ${run}`;
/** Two looks into two indexes: one condition for both would read all members, as would the index of the collection (hence the sign). */
export const foundAt = ({ number, teamId }: Of, url: string): Fragment => sql`+collection = ${number} AND number IN (
  SELECT number FROM collection_members WHERE team_id = ${teamId} AND url_key(url) = url_key(${url})
  UNION ALL SELECT number FROM collection_members
  WHERE team_id = ${teamId} AND url_key(final_url) = url_key(${url}) AND final_url IS NOT NULL)`;

// Pages to which other links lead than before: what links say of them is looked up again, and where it has become much
// more, or less, they are indexed again. They wait in a table until there is time, so that a page that many link to is
// looked at once for all of them.

import type { IndexParts, IndexWriter } from '../ingest/index-writer.ts';
import { prepareAgain } from '../ingest/prepare-change.ts';
import type { LinkChanges } from '../pages/link-graph.ts';
import { STATIC_RANK } from '../ranking/ranking-weights.ts';

/** At most so many are looked at in a step, and so many indexed again. */
const LOOKED_AT = 60;
const INDEXED = 10;
/** More hosts make no difference to a page, and what links say of it is known by then. */
const ENOUGH_INLINKS = 2 ** (STATIC_RANK.inlinksAtMost / STATIC_RANK.inlinks) - 1;

export interface LinkRefresh {
  /** Inside a transaction. */
  note(settled: LinkChanges): void;
  /** True while there are more. */
  step(): boolean;
}

export function createLinkRefresh(
  { connection, pageRows, links, columns }: IndexParts,
  write: IndexWriter,
): LinkRefresh {
  const note = connection.prepare('INSERT OR IGNORE INTO again VALUES (?)');
  const next = connection.prepare<{ id: number }>('SELECT id FROM again ORDER BY id LIMIT ?');
  const forgetTo = connection.prepare('DELETE FROM again WHERE id <= ?');

  /** Each page is done again only a few times, however many links come; words that went are never kept. */
  const isStale = (anchors: number, texts: number) => texts < anchors || (texts > anchors && texts >= 2 * anchors);

  return {
    note({ gained, lost }) {
      for (const target of gained) {
        for (const id of columns.docsWithKey(target)) if (columns.inlinks[id]! < ENOUGH_INLINKS) note.run(id);
      }
      for (const target of lost) for (const id of columns.docsWithKey(target)) note.run(id);
    },
    step() {
      const stale: number[] = [];
      const counted: { id: number; inlinks: number }[] = [];
      let last = 0;
      for (const { id } of next.all(LOOKED_AT)) {
        last = id;
        // It went in the same transaction in which its links changed.
        if (columns.host[id] === 0) continue;
        const host = columns.hosts.list[columns.host[id]!]!;
        const { texts, hosts } = links.inbound(columns.key[id]!, host, pageRows.texts(id)!.title);
        if (isStale(columns.anchors[id]!, texts.length)) stale.push(id);
        else if (hosts !== columns.inlinks[id]) counted.push({ id, inlinks: hosts });
        if (stale.length === INDEXED) break;
      }
      if (last === 0) return false;
      const ready = stale.map((id) => prepareAgain(pageRows.read(id)!));
      write((batch) => {
        forgetTo.run(last);
        for (const { id, inlinks } of counted) batch.setInlinks(id, inlinks);
        for (const id of stale) batch.remove(id);
        for (const page of ready) batch.add(page);
      });
      return true;
    },
  };
}

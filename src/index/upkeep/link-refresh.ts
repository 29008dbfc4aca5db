// Updates pages whose inbound links have changed, and reindexes them when their anchor texts have changed enough. They
// wait in the table `again`, so that a page with many new links is handled once.

import type { IndexParts, IndexWriter } from '../ingest/index-writer.ts';
import { preparePage } from '../ingest/prepare-change.ts';
import type { LinkChanges } from '../pages/link-graph.ts';
import { STATIC_RANK } from '../ranking/ranking-weights.ts';

/** Pages checked and pages reindexed per step. */
const CHECKED_PER_STEP = 60;
const REINDEXED_PER_STEP = 10;
/** Beyond this many linking hosts, more of them change neither the rank nor the anchor texts. */
const ENOUGH_INLINKS = 2 ** (STATIC_RANK.inlinksAtMost / STATIC_RANK.inlinks) - 1;

export interface LinkRefresh {
  /** Call inside a transaction. */
  note(changes: LinkChanges): void;
  /** True while there are more. */
  step(): boolean;
}

export function createLinkRefresh(parts: IndexParts, write: IndexWriter): LinkRefresh {
  const { connection, pageRows, links, columns, analyser } = parts;
  const note = connection.prepare('INSERT OR IGNORE INTO again VALUES (?)');
  const next = connection.prepare<{ id: number }>('SELECT id FROM again ORDER BY id LIMIT ?');
  const removeUpTo = connection.prepare('DELETE FROM again WHERE id <= ?');

  /** Doubling limits how often a page is reindexed as links arrive. Removed texts always trigger it. */
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
      for (const { id } of next.all(CHECKED_PER_STEP)) {
        last = id;
        // The page was removed in the transaction that changed its links.
        if (columns.host[id] === 0) continue;
        const host = columns.hosts.list[columns.host[id]!]!;
        const { texts, hosts } = links.inbound(columns.key[id]!, host, pageRows.texts(id)!.title);
        if (isStale(columns.anchors[id]!, texts.length)) stale.push(id);
        else if (hosts !== columns.inlinks[id]) counted.push({ id, inlinks: hosts });
        if (stale.length === REINDEXED_PER_STEP) break;
      }
      if (last === 0) return false;
      const prepared = stale.map((id) => preparePage(pageRows.read(id)!, analyser));
      write((batch) => {
        removeUpTo.run(last);
        for (const { id, inlinks } of counted) batch.setInlinks(id, inlinks);
        for (const id of stale) batch.remove(id);
        for (const page of prepared) batch.add(page);
      });
      return true;
    },
  };
}

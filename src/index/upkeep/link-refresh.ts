// Updates pages whose inbound links have changed. New anchor texts are added to a page that is still in the write buffer;
// any other page is indexed again. They wait in the table `again`, so that a page with many new links is handled once.

import type { AnchorTerms } from '../ingest/analyse-page.ts';
import type { IndexParts, IndexWriter } from '../ingest/index-writer.ts';
import { type PreparedPage, preparePage } from '../ingest/prepare-change.ts';
import type { InboundLinks, LinkChanges } from '../pages/link-graph.ts';
import { STATIC_RANK } from '../ranking/ranking-weights.ts';

/** Pages checked per step. */
const CHECKED_PER_STEP = 40;
/** A step ends when the pages to reindex have this many characters. */
const REINDEXED_PER_STEP = 16_000;
/** Beyond this many linking hosts, more of them change neither the rank nor the anchor texts. */
const ENOUGH_INLINKS = 2 ** (STATIC_RANK.inlinksAtMost / STATIC_RANK.inlinks) - 1;

export interface LinkRefresh {
  /** Call inside a transaction. */
  note(changes: LinkChanges): void;
  /** True while there are more. */
  step(): boolean;
}

interface CheckedPage {
  id: number;
  inbound: InboundLinks;
  /** What further anchor texts add to the page. */
  anchors?: AnchorTerms;
  /** The page has to be indexed again: it is in a segment, or lost an anchor text. */
  prepared?: PreparedPage;
}

export function createLinkRefresh(parts: IndexParts, write: IndexWriter): LinkRefresh {
  const { connection, pageRows, links, columns, analyser, invertedIndex } = parts;
  const note = connection.prepare('INSERT OR IGNORE INTO again VALUES (?)');
  const next = connection.prepare<{ id: number }>('SELECT id FROM again ORDER BY id LIMIT ?');
  const removeUpTo = connection.prepare('DELETE FROM again WHERE id <= ?');

  /** Doubling limits how often a page is reindexed as links arrive. Removed texts always trigger it. */
  const isStale = (anchors: number, texts: number) => texts < anchors || (texts > anchors && texts >= 2 * anchors);

  const check = (id: number): CheckedPage => {
    const host = columns.hosts.list[columns.host[id]!]!;
    const { title, language } = pageRows.texts(id)!;
    const inbound = links.inbound(columns.key[id]!, host, title);
    if (!isStale(columns.anchors[id]!, inbound.texts.length)) return { id, inbound };
    const known = pageRows.anchors(id);
    const hasKnown = known.every((text) => inbound.texts.includes(text));
    if (!hasKnown || !invertedIndex.canAmend(id))
      return { id, inbound, prepared: preparePage(pageRows.read(id)!, analyser) };
    const added = inbound.texts.filter((text) => !known.includes(text));
    return { id, inbound, anchors: analyser.anchors(added, language) };
  };

  return {
    note({ gained, lost }) {
      for (const target of gained) {
        for (const id of columns.docsWithKey(target)) if (columns.inlinks[id]! < ENOUGH_INLINKS) note.run(id);
      }
      for (const target of lost) for (const id of columns.docsWithKey(target)) note.run(id);
    },
    step() {
      const checked: CheckedPage[] = [];
      let reindexed = 0;
      let last = 0;
      for (const { id } of next.all(CHECKED_PER_STEP)) {
        last = id;
        // The page was removed in the transaction that changed its links.
        if (columns.host[id] === 0) continue;
        const page = check(id);
        checked.push(page);
        if (page.prepared) reindexed += page.prepared.page.texts.length;
        if (reindexed > REINDEXED_PER_STEP) break;
      }
      if (last === 0) return false;
      write((batch) => {
        removeUpTo.run(last);
        for (const { id, inbound, anchors } of checked) {
          if (anchors) batch.amend(id, anchors, inbound);
          else if (inbound.hosts !== columns.inlinks[id]) batch.setInbound(id, inbound.hosts, columns.anchors[id]!);
        }
        for (const { id, prepared } of checked) if (prepared) batch.remove(id);
        for (const { prepared } of checked) if (prepared) batch.add(prepared);
      });
      return true;
    },
  };
}

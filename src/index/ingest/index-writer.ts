// Write transactions on the index. Rows change inside the transaction, their copies in memory only after the commit.
import type { SqliteConnection } from '../../runtime/sqlite/sqlite.ts';
import type { PageVectors, TakenVector } from '../meaning/page-vectors.ts';
import type { InboundLinks, LinkGraph } from '../pages/link-graph.ts';
import type { PageColumns } from '../pages/page-columns.ts';
import type { PageFacts } from '../pages/page-facts.ts';
import type { PageRows } from '../pages/page-rows.ts';
import type { InvertedIndex, NewDoc } from '../segments/inverted-index.ts';
import { type AnchorTerms, joinedTerms, type PageAnalyser } from './analyse-page.ts';
import { createPairFinder } from './pair-finder.ts';
import type { PreparedPage } from './prepare-change.ts';

export interface IndexParts {
  connection: SqliteConnection;
  pageRows: PageRows;
  links: LinkGraph;
  invertedIndex: InvertedIndex;
  vectors: Pick<PageVectors, 'take' | 'keep'>;
  columns: PageColumns;
  analyser: PageAnalyser;
}

export interface WriteBatch {
  remove(id: number): void;
  /** Assigns a new doc id and adds the anchor texts known so far. */
  add(prepared: PreparedPage): void;
  setInbound(id: number, inlinks: number, anchors: number): void;
  /** Indexes further anchor texts with a page that is still in the write buffer. */
  amend(id: number, terms: AnchorTerms, inbound: InboundLinks): void;
}

export type IndexWriter = (work: (batch: WriteBatch) => void) => void;

export function createIndexWriter(parts: IndexParts): IndexWriter {
  const { connection, pageRows, links, invertedIndex, vectors, columns, analyser } = parts;
  const pairFinder = createPairFinder();
  return (work) => {
    const added: NewDoc[] = [];
    const afterCommit: (() => void)[] = [];
    /** By the key of the page. */
    const taken = new Map<number, TakenVector>();
    let last = invertedIndex.lastDocId;
    const batch: WriteBatch = {
      remove(id) {
        const vector = vectors.take(id);
        if (vector) taken.set(columns.key[id]!, vector);
        pageRows.remove(id);
        invertedIndex.remove(id);
        afterCommit.push(() => columns.remove(id));
      },
      add({ page, analysis }) {
        const { key, host } = page.facts;
        const inbound = links.inbound(key, host, page.texts.title);
        const whole = analyser.withAnchors(analysis, inbound.texts, page.texts.language);
        const { terms, length, order, vocabulary, urlWords } = whole;
        last += 1;
        const facts: PageFacts = { ...page.facts, id: last, inlinks: inbound.hosts, anchors: inbound.texts.length };
        const texts = { ...page.texts, id: last };
        const fields = { title: joinedTerms(vocabulary, order.title), url: urlWords };
        pageRows.add({ ...page, facts, texts }, fields, inbound.texts);
        const vector = taken.get(facts.key);
        if (vector) vectors.keep({ ...page, facts }, vector);
        added.push({ docId: last, terms, length, pairs: pairFinder.pairsOf(order, vocabulary) });
        afterCommit.push(() => columns.add(facts));
      },
      setInbound(id, inlinks, anchors) {
        pageRows.setInbound(id, inlinks, anchors);
        afterCommit.push(() => columns.setInbound(id, inlinks, anchors));
      },
      amend(id, terms, { texts, hosts }) {
        invertedIndex.amend({ docId: id, ...terms });
        pageRows.setAnchors(id, texts);
        batch.setInbound(id, hosts, texts.length);
      },
    };
    try {
      connection.transaction(() => {
        work(batch);
        invertedIndex.add(added);
      });
    } catch (error) {
      invertedIndex.rolledBack();
      links.rollBack();
      throw error;
    }
    invertedIndex.committed();
    for (const task of afterCommit) task();
  };
}

// Indexes pages again whose inbound links have changed: their anchor texts find them, and linking hosts raise their rank.
import type { PageAnalyser } from '../../ingest/analyse-page.ts';
import { preparePage } from '../../ingest/prepare-change.ts';
import { linkRank } from '../../ranking/ranking-signals.ts';
import { type Write, writeAll } from '../engine/bulk-writer.ts';
import { columnsOnly, type PageDocuments } from '../engine/page-store.ts';
import type { LinkRows } from './link-rows.ts';
import {
  CANDIDATE_FIELDS,
  type FullContent,
  type PageCandidate,
  readCandidate,
  toStoredPage,
  withLinks,
} from './page-document.ts';

export interface LinkedPages {
  /** How many targets wait. */
  readonly waiting: number;
  /** Targets that gained or lost links. */
  note(targets: Iterable<number>): void;
  /** Needs everything noted to be searchable. True if documents were written. */
  refreshSome(): Promise<boolean>;
}

/** Targets that wait. Those of a lost process wait for their next link. */
const MOST_WAITING = 50_000;
const LOOKED_AT_ONCE = 1_000;
/** Pages indexed again in one call. The rest waits for the next one. */
const MOST_REWRITTEN = 200;
const READ_AT_ONCE = 50;
/** A change of the rank that is worth writing the page again: one more linking host at first, then a doubling. */
const RANK_STEP = 0.25;

export function createLinkedPages(store: PageDocuments, links: LinkRows, analyser: PageAnalyser): LinkedPages {
  const waiting = new Set<number>();

  async function stalePages(targets: readonly number[]) {
    const [found] = await store.search([
      {
        size: 10_000,
        ...columnsOnly(CANDIDATE_FIELDS),
        query: { bool: { filter: [{ term: { kind: 'page' } }, { terms: { key: targets } }] } },
      },
    ]);
    if (found!.hits.hits.length === 0) return [];
    const pages = found!.hits.hits.map(({ fields }) => readCandidate(fields!));
    const read = await links.readInbound(pages.map(({ facts, texts }) => ({ ...facts, title: texts.title })));
    const inbound = read();
    return pages.flatMap((page, at) => (isStale(page, inbound[at]!) ? [{ page, inbound: inbound[at]! }] : []));
  }

  async function rewrite(stale: Awaited<ReturnType<typeof stalePages>>): Promise<void> {
    const contents = await store.get<{ content: FullContent }>(
      stale.map(({ page }) => page.id),
      ['content'],
    );
    const writes = stale.flatMap(({ page, inbound }, at): Write[] => {
      const source = contents[at];
      if (!source) return [];
      const prepared = preparePage(toStoredPage(page, source.content), analyser);
      const document = withLinks(analyser, prepared, inbound, page.change);
      return [{ id: page.id, action: 'index', version: page.change, document }];
    });
    await writeAll(store, writes);
  }

  return {
    get waiting() {
      return waiting.size;
    },
    note(targets) {
      for (const target of targets) if (waiting.size < MOST_WAITING) waiting.add(target);
    },
    async refreshSome() {
      let rewritten = 0;
      while (waiting.size > 0 && rewritten < MOST_REWRITTEN) {
        const targets = [...waiting].slice(0, LOOKED_AT_ONCE);
        const stale = await stalePages(targets);
        for (let at = 0; at < stale.length; at += READ_AT_ONCE) await rewrite(stale.slice(at, at + READ_AT_ONCE));
        for (const target of targets) waiting.delete(target);
        rewritten += stale.length;
      }
      return rewritten > 0;
    },
  };
}

/** Doubling limits how often a page is indexed again as links arrive. Removed texts always trigger it. */
function isStale({ facts }: PageCandidate, { texts, hosts }: { texts: readonly string[]; hosts: number }): boolean {
  const hasMoreTexts = texts.length > facts.anchors && texts.length >= 2 * facts.anchors;
  return (
    texts.length < facts.anchors || hasMoreTexts || Math.abs(linkRank(hosts) - linkRank(facts.inlinks)) >= RANK_STEP
  );
}

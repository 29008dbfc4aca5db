// Which hosts link to which pages with which texts: one small document for each, however many pages of a host have the link.
import { type InboundLinks, MAX_ROWS, type StoredLink, summarise } from '../../pages/link-graph.ts';
import { urlKey } from '../../pages/url-key.ts';
import { type Write, writeAll } from '../engine/bulk-writer.ts';
import { columnsOnly, type PageDocuments, type SearchAnswer } from '../engine/page-store.ts';
import { hashOfLink, linkId } from './page-document.ts';

export interface LinkingHost {
  target: number;
  host: string;
  text: string;
}

/** The links of one page before and after a change. */
export interface LinkChange {
  /** ID of the page's document. */
  id: string;
  host: string;
  before: readonly StoredLink[];
  after: readonly StoredLink[];
}

export interface LinkRows {
  /** Returns the targets that gained or lost a link. Needs everything written before to be searchable if links are lost. */
  apply(changes: readonly LinkChange[], refresh: () => Promise<void>): Promise<Set<number>>;
  /** The links to each page that can be searched. The function says what they and all others so far say about the pages. */
  readInbound(pages: readonly LinkedPage[]): Promise<() => InboundLinks[]>;
  /** Everything written so far can be searched now. */
  refreshed(): void;
  /** Forgets which links the index has. */
  forget(): void;
}

interface LinkedPage {
  key: number;
  host: string;
  title: string;
}

/** Links that were seen lately. Most pages of a site have the same ones. */
const KNOWN_LINKS = 100_000;
const CHECKED_AT_ONCE = 1_000;
const TARGETS_AT_ONCE = 1_000;
const ROWS_AT_ONCE = 10_000;
const CREATED = 201;

export function createLinkRows(store: PageDocuments): LinkRows {
  const known = new Set<number>();
  // Written since the last refresh.
  let added = new Map<number, LinkingHost>();
  let removed = new Set<number>();

  const refreshed = () => {
    added = new Map();
    removed = new Set();
  };

  async function addRows(rows: ReadonlyMap<number, LinkingHost>): Promise<Set<number>> {
    const fresh = [...rows].filter(([hash]) => !known.has(hash));
    const gained = new Set<number>();
    const written = await writeAll(store, fresh.map(toWrite));
    const byId = new Map(fresh.map(([hash, row]) => [linkId(hash), { hash, row }]));
    for (const { write, status } of written) {
      const { hash, row } = byId.get(write.id)!;
      if (known.size >= KNOWN_LINKS) known.clear();
      known.add(hash);
      if (status !== CREATED) continue;
      added.set(hash, row);
      removed.delete(hash);
      gained.add(row.target);
    }
    return gained;
  }

  async function removeRows(hashes: readonly number[]): Promise<void> {
    await writeAll(
      store,
      hashes.map((hash) => ({ id: linkId(hash), action: 'delete' })),
    );
    for (const hash of hashes) {
      known.delete(hash);
      added.delete(hash);
      removed.add(hash);
    }
  }

  return {
    async apply(changes, refresh) {
      const after = new Map<number, LinkingHost>();
      const before = new Map<number, number>();
      for (const change of changes) {
        for (const link of change.after)
          after.set(hashOfLink(change.host, link), { target: link[0], host: change.host, text: link[1] });
        for (const link of change.before) before.set(hashOfLink(change.host, link), link[0]);
      }
      const changed = await addRows(after);
      const lost = [...before.keys()].filter((hash) => !after.has(hash));
      if (lost.length === 0) return changed;
      await refresh();
      const kept = await stillLinked(
        store,
        lost,
        changes.map(({ id }) => id),
      );
      const gone = lost.filter((hash) => !kept.has(hash));
      await removeRows(gone);
      for (const hash of gone) changed.add(before.get(hash)!);
      return changed;
    },
    async readInbound(pages) {
      const rows = await rowsTo(store, [...new Set(pages.map(({ key }) => key))]);
      return () => {
        for (const hash of removed) rows.delete(hash);
        for (const [hash, row] of added) rows.set(hash, row);
        const byTarget = Map.groupBy(rows.values(), ({ target }) => target);
        return pages.map((page) => inboundOf(page, byTarget.get(page.key) ?? []));
      };
    },
    refreshed,
    forget() {
      known.clear();
      refreshed();
    },
  };
}

const inboundOf = ({ host, title }: LinkedPage, links: readonly LinkingHost[]): InboundLinks =>
  summarise(
    links.slice(0, MAX_ROWS).map((link) => ({ host: urlKey(link.host), text: link.text, pages: 1 })),
    urlKey(host),
    title,
  );

const toWrite = ([hash, { target, host, text }]: [number, LinkingHost]): Write => ({
  id: linkId(hash),
  action: 'create',
  document: { kind: 'link', target, linkHost: host, linkText: text },
});

/** Which of the links other pages have. */
async function stillLinked(
  store: PageDocuments,
  hashes: readonly number[],
  changedPages: readonly string[],
): Promise<Set<number>> {
  const searches: object[] = [];
  for (let at = 0; at < hashes.length; at += CHECKED_AT_ONCE) {
    const links = hashes.slice(at, at + CHECKED_AT_ONCE);
    searches.push({
      size: 0,
      query: { bool: { filter: { terms: { links } }, must_not: { ids: { values: changedPages } } } },
      aggs: { links: { terms: { field: 'links', include: links, size: links.length } } },
    });
  }
  const answers = await store.search(searches);
  return new Set(
    answers.flatMap(({ aggregations }) => (aggregations!.links.buckets as Bucket[]).map(({ key }) => key)),
  );
}

interface Bucket {
  key: number;
}

/** The links to each target, by their hashes. Of a target with very many, some. */
export async function rowsTo(store: PageDocuments, targets: readonly number[]): Promise<Map<number, LinkingHost>> {
  const rows = new Map<number, LinkingHost>();
  for (let at = 0; at < targets.length; at += TARGETS_AT_ONCE) {
    const some = targets.slice(at, at + TARGETS_AT_ONCE);
    const [all] = await store.search([searchLinks(some, ROWS_AT_ONCE)]);
    const isWhole = all!.hits.total!.value <= ROWS_AT_ONCE;
    const answers = isWhole ? [all!] : await store.search(some.map((target) => searchLinks([target], MAX_ROWS)));
    for (const answer of answers) readRows(answer, rows);
  }
  return rows;
}

const ROW_FIELDS = ['target', 'linkHost', 'linkText'];

const searchLinks = (targets: readonly number[], size: number) => ({
  size,
  track_total_hits: true,
  ...columnsOnly(ROW_FIELDS),
  query: { bool: { filter: [{ term: { kind: 'link' } }, { terms: { target: targets } }] } },
});

function readRows({ hits }: SearchAnswer, rows: Map<number, LinkingHost>): void {
  for (const { fields } of hits.hits) {
    const [target, host, text] = ROW_FIELDS.map((name) => fields![name]![0]) as [number, string, string];
    rows.set(hashOfLink(host, [target, text]), { target, host, text });
  }
}

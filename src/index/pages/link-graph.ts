// Which hosts link to which pages, and with which anchor texts. Both count for the target of the link.
import type { EntryLink } from '../../page/index-entry.ts';
import type { PageOwner } from '../../page/page-owner.ts';
import type { SqliteConnection } from '../../runtime/sqlite/sqlite.ts';
import { linkHash, pageKey, urlKey } from './url-key.ts';

/** Anchor texts indexed with a page, those used by the most hosts first. */
const MAX_TEXTS = 16;
/** Rows read per target. A front page may have far more, but further hosts would not change its rank. */
export const MAX_ROWS = 128;
const MAX_INLINKS = 255;
/** Links whose page counts are kept in memory before they are written. */
const MAX_COUNTED = 30_000;

/** A link as stored with its page, so that it can be removed with it. */
export type StoredLink = [target: number, text: string];

export interface InboundLinks {
  /** Without texts that the page's title already contains. */
  texts: string[];
  /** Number of other hosts that link to the page. */
  hosts: number;
}

/** Targets that gained anchor texts or hosts, and targets that lost some. */
export interface LinkChanges {
  gained: Set<number>;
  lost: Set<number>;
}

export interface LinkRow {
  host: number;
  text: string;
  /** How many pages of the host have this link. */
  pages: number;
}

interface LinkCount extends LinkRow {
  target: number;
}

export interface LinkGraph {
  /** Adds or removes the links of one page on `host`. They take effect with the next `applyPending`. */
  add(host: string, links: readonly StoredLink[]): void;
  remove(host: string, links: readonly StoredLink[]): void;
  /** Call inside the transaction. */
  applyPending(): LinkChanges;
  /** Call inside a transaction: writes the counts that are only in memory. */
  writeCounts(): void;
  /** Call when the transaction has failed: drops its changes. */
  rollBack(): void;
  inbound(target: number, ownHost: string, title: string): InboundLinks;
  /** URL keys of the hosts that link to a target. */
  linkingHosts(target: number): number[];
}

export function createLinkGraph(connection: SqliteConnection): LinkGraph {
  const rowsTo = connection.prepare<LinkRow>('SELECT host, text, pages FROM links WHERE target = ? LIMIT ?');
  const write = createLinkWriter(connection);
  // The pages of a site share most of their links: each is written once, and further pages are only counted here.
  // Counts lost in a crash make a link disappear too early, never too late.
  let pending = new Map<number, LinkCount>();
  const counted = new Map<number, LinkCount>();

  const note = (host: string, links: readonly StoredLink[], pages: number) => {
    const hostKey = urlKey(host);
    for (const [target, text] of links) {
      const hash = linkHash(target, hostKey, text);
      const noted = pending.get(hash);
      if (noted) noted.pages += pages;
      else pending.set(hash, { target, host: hostKey, text, pages });
    }
  };
  const writeCounted = (mostLeft: number) => {
    for (const [hash, link] of counted) {
      if (counted.size <= mostLeft) return;
      if (link.pages > 0) write(link);
      counted.delete(hash);
    }
  };

  return {
    add: (host, links) => note(host, links, 1),
    remove: (host, links) => note(host, links, -1),
    rollBack() {
      pending.clear();
      counted.clear();
    },
    writeCounts: () => writeCounted(0),
    applyPending() {
      // In table order, so that neighbouring rows are written together.
      const links = [...pending].sort(([, a], [, b]) => a.target - b.target);
      pending = new Map();
      const changes: LinkChanges = { gained: new Set(), lost: new Set() };
      for (const [hash, link] of links) {
        const known = counted.get(hash);
        if (known) known.pages += link.pages;
        if (link.pages === 0 || (known && link.pages > 0)) continue;
        const delta = known?.pages ?? link.pages;
        const left = write({ ...link, pages: delta });
        if (left <= 0) changes.lost.add(link.target);
        else if (left === delta) changes.gained.add(link.target);
        counted.delete(hash);
        if (left > 0) counted.set(hash, { ...link, pages: 0 });
      }
      writeCounted(MAX_COUNTED);
      return changes;
    },
    inbound: (target, ownHost, title) => summarise(rowsTo.all(target, MAX_ROWS), urlKey(ownHost), title),
    linkingHosts: (target) => [...new Set(rowsTo.all(target, MAX_ROWS).map(({ host }) => host))],
  };
}

/** Adds the pages to the count of a link, and returns how many pages of the host have the link now. */
function createLinkWriter(connection: SqliteConnection): (link: LinkCount) => number {
  const insert = connection.prepare('INSERT OR IGNORE INTO links (target, host, text, pages) VALUES (?, ?, ?, ?)');
  const update = connection.prepare<{ pages: number }>(
    'UPDATE links SET pages = pages + ? WHERE target = ? AND host = ? AND text = ? RETURNING pages',
  );
  const remove = connection.prepare('DELETE FROM links WHERE target = ? AND host = ? AND text = ?');
  return ({ target, host, text, pages }) => {
    if (pages > 0 && insert.run(target, host, text, pages).changes === 1) return pages;
    const left = update.get(pages, target, host, text)?.pages ?? 0;
    if (left <= 0) remove.run(target, host, text);
    return left;
  };
}

/** What the links to a page say about it. `ownHost` is its URL key. */
export function summarise(rows: readonly LinkRow[], ownHost: number, title: string): InboundLinks {
  const lowerTitle = title.toLowerCase();
  const hosts = new Set<number>();
  const byText = new Map<string, { hosts: number; pages: number }>();
  for (const { host, text, pages } of rows) {
    if (host !== ownHost) hosts.add(host);
    if (lowerTitle.includes(text.toLowerCase())) continue;
    const known = byText.get(text);
    if (known) {
      known.hosts += 1;
      known.pages += pages;
    } else byText.set(text, { hosts: 1, pages });
  }
  const texts = [...byText].sort(
    ([text, a], [other, b]) => b.hosts - a.hosts || b.pages - a.pages || (text < other ? -1 : 1),
  );
  return { texts: texts.slice(0, MAX_TEXTS).map(([text]) => text), hosts: Math.min(MAX_INLINKS, hosts.size) };
}

/** Each target once, with its first non-empty text. Links count only for pages of the same owner. */
export function toStoredLinks(owner: PageOwner, links: readonly EntryLink[]): StoredLink[] {
  const kept = new Map<number, string>();
  for (const { url, text } of links) {
    const target = pageKey(owner, url);
    if (!kept.get(target)) kept.set(target, text);
  }
  return [...kept];
}

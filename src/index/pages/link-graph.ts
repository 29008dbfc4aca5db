// Which hosts link to which pages, and with which anchor texts. Both count for the target of the link.
import type { EntryLink } from '../../contracts/index-entry.ts';
import type { Connection } from '../../util/sqlite.ts';
import { linkHash, urlKey } from './url-features.ts';

/** Anchor texts indexed with a page, those used by the most hosts first. */
const MAX_TEXTS = 16;
/** Rows read per target. A front page may have far more, but further hosts would not change its rank. */
const MAX_ROWS = 128;
const MAX_INLINKS = 255;
/** Links whose page counts are kept in memory before they are written. */
const MAX_KNOWN = 30_000;

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

interface PendingLink {
  target: number;
  host: number;
  text: string;
  pages: number;
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

export function createLinkGraph(connection: Connection): LinkGraph {
  const add = connection.prepare('INSERT OR IGNORE INTO links (target, host, text, pages) VALUES (?, ?, ?, ?)');
  const change = connection.prepare<{ pages: number }>(
    'UPDATE links SET pages = pages + ? WHERE target = ? AND host = ? AND text = ? RETURNING pages',
  );
  const remove = connection.prepare('DELETE FROM links WHERE target = ? AND host = ? AND text = ?');
  const rowsTo = connection.prepare<{ host: number; text: string; pages: number }>(
    'SELECT host, text, pages FROM links WHERE target = ? LIMIT ?',
  );
  // The pages of a site share most of their links: each is written once, and further pages are only counted here.
  // Counts lost in a crash make a link disappear too early, never too late.
  let pending = new Map<number, PendingLink>();
  const known = new Map<number, PendingLink>();

  const note = (host: string, links: readonly StoredLink[], pages: number) => {
    const hostKey = urlKey(host);
    for (const [target, text] of links) {
      const name = linkHash(target, hostKey, text);
      const noted = pending.get(name);
      if (noted) noted.pages += pages;
      else pending.set(name, { target, host: hostKey, text, pages });
    }
  };

  /** Returns how many pages of the host have the link now. */
  const write = ({ target, host, text, pages }: PendingLink): number => {
    if (pages > 0 && add.run(target, host, text, pages).changes === 1) return pages;
    const left = change.get(pages, target, host, text)?.pages ?? 0;
    if (left <= 0) remove.run(target, host, text);
    return left;
  };
  const writeKnown = (most: number) => {
    for (const [name, counted] of known) {
      if (known.size <= most) return;
      if (counted.pages > 0) write(counted);
      known.delete(name);
    }
  };

  return {
    add: (host, links) => note(host, links, 1),
    remove: (host, links) => note(host, links, -1),
    rollBack() {
      pending.clear();
      known.clear();
    },
    writeCounts: () => writeKnown(0),
    applyPending() {
      // In table order, so that neighbouring rows are written together.
      const changes = [...pending].sort(([, a], [, b]) => a.target - b.target);
      pending = new Map();
      const settled: LinkChanges = { gained: new Set(), lost: new Set() };
      for (const [name, one] of changes) {
        const counted = known.get(name);
        if (counted) counted.pages += one.pages;
        if (one.pages === 0 || (counted && one.pages > 0)) continue;
        const delta = counted?.pages ?? one.pages;
        const left = write({ ...one, pages: delta });
        if (left <= 0) settled.lost.add(one.target);
        else if (left === delta) settled.gained.add(one.target);
        known.delete(name);
        if (left > 0) known.set(name, { ...one, pages: 0 });
      }
      writeKnown(MAX_KNOWN);
      return settled;
    },
    inbound(target, ownHost, title) {
      const said = title.toLowerCase();
      const own = urlKey(ownHost);
      const hosts = new Set<number>();
      const byText = new Map<string, { hosts: number; pages: number }>();
      for (const { host, text, pages } of rowsTo.all(target, MAX_ROWS)) {
        if (host !== own) hosts.add(host);
        if (said.includes(text.toLowerCase())) continue;
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
    },
    linkingHosts: (target) => [...new Set(rowsTo.all(target, MAX_ROWS).map(({ host }) => host))],
  };
}

/** Each target once, with its first non-empty text. */
export function toStoredLinks(links: readonly EntryLink[]): StoredLink[] {
  const kept = new Map<number, string>();
  for (const { url, text } of links) {
    const target = urlKey(url);
    if (!kept.get(target)) kept.set(target, text);
  }
  return [...kept];
}

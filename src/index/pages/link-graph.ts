// Who leads where, with which words: the texts of links count for the page they lead to, and so do the hosts they stand on.
import type { EntryLink } from '../../contracts/index-entry.ts';
import type { Connection } from '../../util/sqlite.ts';
import { linkHash, urlKey } from './url-features.ts';

/** Texts that are indexed with a page, those of the most hosts first. */
const MAX_TEXTS = 16;
/** Rows of one target that are looked at; a front page may have any number. More hosts than are in these change nothing. */
const MAX_ROWS = 128;
const MAX_INLINKS = 255;
/** Links whose further pages are counted in memory first. */
const MAX_KNOWN = 30_000;

/** A link as it is kept with its page, to be taken back with it: target, words. */
export type StoredLink = [target: number, text: string];

export interface InboundLinks {
  /** What the page's title does not say anyway. */
  texts: string[];
  /** Other hosts that lead to it. */
  hosts: number;
}

/** The targets that have got new texts or hosts, and those that lost some. */
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
  /** The links of a page of that host came, or went; they count at the next `settle`. */
  add(host: string, links: readonly StoredLink[]): void;
  remove(host: string, links: readonly StoredLink[]): void;
  /** Inside the transaction. */
  applyPending(): LinkChanges;
  /** Inside a transaction: writes down what was only counted so far. */
  writeCounts(): void;
  /** The transaction has failed: nothing came or went. */
  rollBack(): void;
  inbound(target: number, ownHost: string, title: string): InboundLinks;
  /** Keys of the hosts that lead to a target. */
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
  // The pages of a site share most of their links: of fifty pages, each is written once, and of those that are in the table
  // already only the pages are counted here. What is lost of that in a crash makes a link go too early, never too late.
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

  /** Returns how many pages have it now. */
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
      // Neighbours in the table one after the other.
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

/** Each target once, with its first words. */
export function toStoredLinks(links: readonly EntryLink[]): StoredLink[] {
  const kept = new Map<number, string>();
  for (const { url, text } of links) {
    const target = urlKey(url);
    if (!kept.get(target)) kept.set(target, text);
  }
  return [...kept];
}

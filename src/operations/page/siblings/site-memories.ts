// What this process knows of sites: read from the store when a page of them is read, and written there a little later, several
// pages at a time. Other processes learn of it within seconds.
import type { PageOwner, PageSharing } from '../../../page/page-owner.ts';
import {
  countPages,
  type LearntPage,
  type PageSite,
  readSiteMemory,
  type SiteMemory,
  siteOfHost,
} from '../../../page/site-memory.ts';
import type { SiteMemoryStore } from '../../../store/ports/pages/site-memory-store.ts';
import { normaliseUrl } from '../../../urls/url.ts';
import type { Clock } from '../../../util/clock.ts';
import { sha256 } from '../../../util/hash.ts';

/** What is known of the site of a page. */
export interface KnownSite extends PageSite {
  /** Results that were made with less knowledge are made again. */
  level: number;
}

export interface SiteMemories {
  /** Undefined if nothing is known of the site, or if nothing that concerns this page. */
  find(url: URL, teamId: string | undefined): Promise<KnownSite | undefined>;
  /** Pages of other owners teach nothing. */
  learn(page: { url: URL; owner: PageOwner; teamId: string | undefined; texts: Uint32Array }): void;
  /** Before pages of a host are deleted: nothing that was learnt from them is written behind the deletion. */
  forget(host: string): Promise<void>;
  /** Writes what is left. */
  close(): Promise<void>;
}

interface Deps {
  store: SiteMemoryStore;
  sharing: Pick<PageSharing, 'ownerOfAnswers'>;
  clock: Pick<Clock, 'now'>;
}

interface Site {
  owner: PageOwner;
  name: string;
  memory: Promise<SiteMemory | undefined>;
  readAt: number;
  /** Learnt here, and not yet written. */
  learnt: LearntPage[];
}

const MAX_SITES = 100;
/** Until then, what other processes have learnt is not seen. */
const FRESH_MS = 10_000;
const WRITE_AFTER_MS = 1_000;
/** So many pages of a site are written at once. */
const GROUP = 16;
/** Numbers of pages from which on a page is worth being read again. */
const LEVELS = [1, 3, 8];

export function createSiteMemories({ store, sharing, clock }: Deps): SiteMemories {
  /** By owner and site; the first was used least recently. */
  const sites = new Map<string, Site>();
  const writing = new Set<Promise<unknown>>();
  let timer: NodeJS.Timeout | undefined;

  const read = (owner: PageOwner, site: string) =>
    store.find(owner, site).then(
      (bytes) => bytes && readSiteMemory(bytes),
      // Pages are read as well without.
      () => undefined,
    );

  function siteOf(owner: PageOwner, name: string): Site {
    const key = `${owner} ${name}`;
    const known = sites.get(key);
    const site: Site =
      known && (known.learnt.length > 0 || clock.now() - known.readAt < FRESH_MS)
        ? known
        : { owner, name, memory: read(owner, name), readAt: clock.now(), learnt: [] };
    sites.delete(key);
    sites.set(key, site);
    if (sites.size > MAX_SITES) removeOldest();
    return site;
  }

  function removeOldest(): void {
    const [key, oldest] = sites.entries().next().value!;
    write(oldest);
    sites.delete(key);
  }

  function write(site: Site): void {
    if (site.learnt.length === 0) return;
    const pages = site.learnt.splice(0);
    const written = store.learn(site.owner, site.name, pages, clock.now()).then(
      (bytes) => {
        site.memory = Promise.resolve(readSiteMemory(bytes));
        site.readAt = clock.now();
      },
      // They are learnt when they are read again.
      () => {},
    );
    writing.add(written);
    void written.finally(() => writing.delete(written));
  }

  function writeAll(): void {
    clearTimeout(timer);
    timer = undefined;
    for (const site of sites.values()) write(site);
  }

  return {
    async find(url, teamId) {
      if (teamId === undefined) return undefined;
      const name = siteOfHost(url.host);
      const memory = await siteOf(sharing.ownerOfAnswers(teamId), name).memory;
      const own = hashOfUrl(url);
      const pages = countPages(memory, own);
      return memory && pages > 0 ? { name, memory, url: own, level: levelOf(pages) } : undefined;
    },
    learn({ url, owner, teamId, texts }) {
      if (teamId === undefined || owner !== sharing.ownerOfAnswers(teamId) || texts.length === 0) return;
      const site = siteOf(owner, siteOfHost(url.host));
      site.learnt.push({ url: hashOfUrl(url), texts, at: clock.now() });
      if (site.learnt.length >= GROUP) write(site);
      else timer ??= setTimeout(writeAll, WRITE_AFTER_MS).unref();
    },
    async forget(host) {
      for (const [key, { name }] of sites) if (name === siteOfHost(host)) sites.delete(key);
      await Promise.all(writing);
    },
    async close() {
      writeAll();
      await Promise.all(writing);
    },
  };
}

/** Each page is read alone. */
export const NO_SITE_MEMORIES: SiteMemories = {
  find: async () => undefined,
  learn: () => {},
  forget: async () => {},
  close: async () => {},
};

const levelOf = (pages: number): number => LEVELS.filter((least) => pages >= least).length;

const hashOfUrl = (url: URL): number => Number.parseInt(sha256(normaliseUrl(url)).slice(0, 8), 16);

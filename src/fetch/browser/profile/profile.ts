// What a browser has stored, read from a context and brought into another: cookies, local storage and IndexedDB by
// Playwright; the session storage of open pages by ourselves, because it belongs to a tab and not to the context.
import type { BrowserContext, Page } from 'playwright-core';
import { ServiceError } from '../../../contracts/errors.ts';
import { MAX_PROFILE_BYTES } from '../../../contracts/profile.ts';
import { systemClock } from '../../../util/clock.ts';
import { BrowserFault, pageError } from '../browser-failure.ts';
import { withCdpSession } from '../cdp-session.ts';
import { goToEach } from './empty-pages.ts';
import { readSessionStorage, type TabStorage, writeSessionStorage } from './session-storage.ts';

type Saved = Awaited<ReturnType<BrowserContext['storageState']>>;
type Origin = Saved['origins'][number] & { indexedDB?: unknown };

export interface ProfileState extends Omit<Saved, 'origins'> {
  origins: Origin[];
  sessionStorage: TabStorage[];
}

export interface ReadProfile {
  /** As JSON. */
  state: string;
  /** Origins whose IndexedDB would not have found room. */
  leftOut: string[];
}

// Each takes about a tenth of a second to be brought in, and most pages need one.
const NEAREST_ORIGINS = 8;
const PAGE_MS = 3_000;

/** The origins that a state says something of. */
export const originsOf = (state: string): string[] =>
  (JSON.parse(state) as ProfileState).origins.map(({ origin }) => origin);

/** The session storage of each tab, by its origin. All tabs are closed then, those that do not answer as well. */
export async function closeTabs(context: BrowserContext): Promise<TabStorage[]> {
  const pages = context.pages();
  const found = await Promise.all(pages.map(readOrEnd));
  // A browser is not left without any. Now no process hangs in which the new one would wait for ever.
  await context.newPage();
  await Promise.all(pages.map((page) => inTime(page.close().catch(() => {}))));
  // Two tabs of one site have a storage each; that of the later one is kept.
  const tabs = found.filter((tab) => tab !== undefined).map((tab) => [tab.origin, tab] as const);
  return [...new Map(tabs).values()];
}

/**
 * What is stored for these origins, in a context that this connection has seen no page of: Playwright reads the origins
 * of all frames it has seen, and those of others' advertisements would take longer than the rest.
 */
export async function readProfile(
  context: BrowserContext,
  origins: readonly string[],
  sessionStorage: TabStorage[],
): Promise<ReadProfile> {
  if (origins.length > 0) {
    const page = await context.newPage();
    await goToEach(page, origins);
    await page.close();
  }
  const stored = await context.storageState({ indexedDB: true });
  return fit({ ...stored, sessionStorage });
}

/** Into a context that nobody uses yet. Where a `target` is given, only what is of use there, to be there sooner. */
export async function applyProfile(context: BrowserContext, page: Page, state: string, target?: URL): Promise<void> {
  const { sessionStorage, origins, ...rest } = JSON.parse(state) as ProfileState;
  const nearest = <T extends { origin: string }>(all: T[]) => (target ? nearestTo(target, all) : all);
  try {
    await context.setStorageState({ ...rest, origins: nearest(origins) });
    await writeSessionStorage(page, nearest(sessionStorage));
  } catch (cause) {
    const failure = pageError(cause);
    if (failure instanceof BrowserFault) throw failure;
    throw new ServiceError('PROFILE_UNREADABLE', { message: NOT_TAKEN, cause });
  }
}

const NOT_TAKEN =
  'The browser does not take what this profile holds. It may come from another version of the browser: delete the profile and make it anew.';

async function readOrEnd(page: Page): Promise<TabStorage | undefined> {
  // A page that has gone, or is just going elsewhere, has none.
  const found = await inTime(readSessionStorage(page).catch(() => undefined));
  // The process of a page that hangs would be given to the next page of its site, which would then hang, too.
  if (found === LATE) await inTime(withCdpSession(page, (session) => session.send('Page.crash')).catch(() => {}));
  return found === LATE ? undefined : found;
}

const LATE = Symbol('late');

async function inTime<T>(answer: Promise<T>): Promise<T | typeof LATE> {
  const done = new AbortController();
  const late = systemClock.sleep(PAGE_MS, done.signal).then(
    (): typeof LATE => LATE,
    (): typeof LATE => LATE,
  );
  try {
    return await Promise.race([answer, late]);
  } finally {
    done.abort();
  }
}

/** Databases are what grows without end; a login is worth more than the cache of a mail program. */
function fit(state: ProfileState): ReadProfile {
  const leftOut: string[] = [];
  let text = JSON.stringify(state);
  if (Buffer.byteLength(text) > MAX_PROFILE_BYTES) {
    const largest = state.origins
      .map((origin) => ({ origin, size: Buffer.byteLength(JSON.stringify(origin.indexedDB ?? null)) }))
      .sort((a, b) => b.size - a.size);
    let excess = Buffer.byteLength(text) - MAX_PROFILE_BYTES;
    for (const { origin, size } of largest) {
      if (excess <= 0 || origin.indexedDB === undefined) break;
      delete origin.indexedDB;
      leftOut.push(origin.origin);
      excess -= size;
    }
    text = JSON.stringify(state);
  }
  if (Buffer.byteLength(text) > MAX_PROFILE_BYTES) throw new ServiceError('PROFILE_TOO_LARGE');
  return { state: text, leftOut };
}

/** The origin itself, then those of hosts that share the end of their name with it, then the others. */
function nearestTo<T extends { origin: string }>(target: URL, all: T[]): T[] {
  const labels = target.hostname.split('.').reverse();
  const nearness = ({ origin }: T): number => {
    if (origin === target.origin) return Number.POSITIVE_INFINITY;
    const others = URL.parse(origin)?.hostname.split('.').reverse() ?? [];
    const common = labels.findIndex((label, at) => label !== others[at]);
    return common === -1 ? labels.length : common;
  };
  return all
    .map((item) => ({ item, nearness: nearness(item) }))
    .sort((a, b) => b.nearness - a.nearness)
    .slice(0, NEAREST_ORIGINS)
    .map(({ item }) => item);
}

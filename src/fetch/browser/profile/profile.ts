// Copies the stored state of a browser from one context to another: cookies, local storage and IndexedDB through
// Playwright, session storage by ourselves, because it belongs to a tab rather than to the context.
import type { BrowserContext, Page } from 'playwright-core';
import { MAX_PROFILE_BYTES } from '../../../contracts/browser/profile.ts';
import { ServiceError } from '../../../contracts/errors/errors.ts';
import { raceTimeout } from '../../../util/abort.ts';
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
  /** Origins whose IndexedDB was left out because the profile would be too large. */
  leftOut: string[];
}

// Restoring an origin takes about a tenth of a second, and most pages need only one.
const NEAREST_ORIGINS = 8;
const PAGE_MS = 3_000;

/** The origins in a stored state. */
export const originsOf = (state: string): string[] =>
  (JSON.parse(state) as ProfileState).origins.map(({ origin }) => origin);

/** Reads the session storage of all tabs, then closes them, including those that hang. */
export async function closeTabs(context: BrowserContext): Promise<TabStorage[]> {
  const pages = context.pages();
  const found = await Promise.all(pages.map(readOrCrash));
  // A browser must keep one page. Hanging processes are gone by now, so the new page cannot end up in one.
  await context.newPage();
  await Promise.all(pages.map((page) => inTime(page.close().catch(() => {}))));
  // Two tabs of a site have separate storages; the later one is kept.
  const tabs = found.filter((tab) => tab !== undefined).map((tab) => [tab.origin, tab] as const);
  return [...new Map(tabs).values()];
}

/**
 * Reads the state of these origins. The connection must be new: Playwright reads the origins of all frames that it has
 * seen, and those of ads would take longer than the rest.
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

/** Restores a state in an unused context. With a `target`, only the nearest origins are restored, to save time. */
export async function applyProfile(context: BrowserContext, page: Page, state: string, target?: URL): Promise<void> {
  const { sessionStorage, origins, ...rest } = JSON.parse(state) as ProfileState;
  const nearest = <T extends { origin: string }>(all: T[]) => (target ? nearestTo(target, all) : all);
  try {
    await context.setStorageState({ ...rest, origins: nearest(origins) });
    await writeSessionStorage(page, nearest(sessionStorage));
  } catch (cause) {
    const failure = pageError(cause);
    if (failure instanceof BrowserFault) throw failure;
    throw new ServiceError('PROFILE_UNREADABLE', { message: REJECTED, cause });
  }
}

const REJECTED =
  'The browser rejects the contents of this profile. It may come from another browser version: delete the profile and create it again.';

async function readOrCrash(page: Page): Promise<TabStorage | undefined> {
  // A page that is gone or navigating has none.
  const found = await inTime(readSessionStorage(page).catch(() => undefined));
  // The next page of the site would get the same process and hang, too, so it is crashed.
  if (found === LATE) await inTime(withCdpSession(page, (session) => session.send('Page.crash')).catch(() => {}));
  return found === LATE ? undefined : found;
}

const LATE = Symbol('late');

const inTime = <T>(result: Promise<T>) => raceTimeout(result, PAGE_MS, (): typeof LATE => LATE);

/** Drops the largest databases if the state is too large: logins in cookies matter more than an application's cache. */
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

/** The target's origin first, then those that share most of their domain with it. */
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

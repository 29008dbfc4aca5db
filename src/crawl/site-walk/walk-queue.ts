// Chooses the page of a site to read next: the one expected to yield the most new URLs. Pages are grouped into families
// by URL pattern, and a family that yields nothing is dropped.
import type { NewTask } from '../../store/ports/jobs/job-queue.ts';

export type WalkPage = Pick<NewTask, 'url' | 'key' | 'depth' | 'steps' | 'pattern'>;

/** What reading a page yielded. */
export interface PageYield {
  /** URLs not found before. */
  newUrls: number;
  /** How many of them belong to other families than the page. */
  newUrlsElsewhere: number;
  /** Fingerprint of its text, if it had any. */
  gist?: string;
}

export interface WalkQueue {
  /** Whether the page was offered or excluded before. */
  isKnown(key: string): boolean;
  /** Ignores later offers of a page, because it was read under another URL. */
  exclude(key: string): void;
  /** Does nothing if the page is known, its family was dropped, or the queue is full. */
  offer(page: WalkPage): void;
  /** The best page. Undefined when none is left, or none until pages in flight are settled. */
  take(): WalkPage | undefined;
  /** Every page taken must be settled or put back. Returns true when it yielded nothing new. */
  settle(page: WalkPage, harvest: PageYield): boolean;
  /** For a page that could not be read now and should be tried again. */
  putBack(page: WalkPage): void;
}

interface Family {
  /** True for URLs with numbers or queries. Pages that only share a folder say little about each other. */
  canClose: boolean;
  isClosed: boolean;
  /** Pagination pages, which lead to more of the same. */
  lists: PageQueue;
  others: PageQueue;
  inFlight: number;
  settled: number;
  news: number;
  /** Pages since the last one that yielded new URLs. */
  barren: number;
  gists: Set<string>;
}

interface PageQueue {
  pages: WalkPage[];
  next: number;
}

const MAX_BARREN = 30;
/** Lists go first, unless this many pages in a row yielded nothing. */
const MAX_BARREN_LISTS = 3;
/** Bounds the queue: only about a thousand pages are fetched, and each choice scans all families. */
const MAX_WAITING = 10_000;
/** Ranks a family whose first page is in flight above families that yielded nothing and below all others. */
const ON_TRIAL = 0.001;

export function createWalkQueue(): WalkQueue {
  const families = new Map<string, Family>();
  /** Families with waiting pages. */
  const open = new Set<Family>();
  const known = new Set<string>();
  let waiting = 0;

  const familyOf = (page: WalkPage): Family => {
    const name = page.pattern || folderOf(page.key);
    const family = families.get(name) ?? newFamily(page.pattern !== '');
    families.set(name, family);
    return family;
  };

  const close = (family: Family) => {
    waiting -= left(family.lists) + left(family.others);
    family.isClosed = true;
    family.lists = newPageQueue();
    family.others = newPageQueue();
    open.delete(family);
  };

  return {
    isKnown: (key) => known.has(key),
    exclude: (key) => void known.add(key),
    offer(page) {
      if (known.has(page.key) || waiting >= MAX_WAITING) return;
      const family = familyOf(page);
      if (family.isClosed) return;
      known.add(page.key);
      (page.steps > 0 ? family.lists : family.others).pages.push(page);
      open.add(family);
      waiting += 1;
    },
    take() {
      const family = bestOf(open);
      if (!family) return undefined;
      const page = first(family);
      queueOf(family).next += 1;
      family.inFlight += 1;
      waiting -= 1;
      if (left(family.lists) + left(family.others) === 0) open.delete(family);
      return page;
    },
    settle(page, { newUrls, newUrlsElsewhere, gist }) {
      const family = familyOf(page);
      // A calendar links to the next month without end, and every month looks the same.
      const isRepetition = newUrls > 0 && newUrlsElsewhere === 0 && gist !== undefined && family.gists.has(gist);
      const isBarren = newUrls === 0 || isRepetition;
      if (gist !== undefined) family.gists.add(gist);
      family.inFlight -= 1;
      family.settled += 1;
      family.news += isBarren ? 0 : newUrls;
      family.barren = isBarren ? family.barren + 1 : 0;
      if (family.canClose && family.barren >= MAX_BARREN) close(family);
      return isBarren;
    },
    putBack(page) {
      const family = familyOf(page);
      family.inFlight -= 1;
      if (family.isClosed) return;
      family.lists.pages.push(page);
      open.add(family);
      waiting += 1;
    },
  };
}

function bestOf(families: Iterable<Family>): Family | undefined {
  let best: Family | undefined;
  for (const family of families) {
    // If the pages in flight yield nothing too, the family is dropped.
    if (family.canClose && family.barren + family.inFlight >= MAX_BARREN) continue;
    if (!best || isBefore(family, best)) best = family;
  }
  return best;
}

/** Good lists first, then the highest expected yield, then the lowest depth. */
function isBefore(a: Family, b: Family): boolean {
  const isList = isGoodList(a);
  if (isList !== isGoodList(b)) return isList;
  const difference = expectedYield(a) - expectedYield(b);
  // Infinity minus Infinity is NaN: both are untried, so depth decides.
  return difference > 0 || (!(difference < 0) && first(a).depth < first(b).depth);
}

const isGoodList = ({ lists, barren }: Family): boolean => left(lists) > 0 && barren < MAX_BARREN_LISTS;

function expectedYield({ settled, inFlight, news }: Family): number {
  if (settled > 0) return news / settled;
  return inFlight > 0 ? ON_TRIAL : Number.POSITIVE_INFINITY;
}

const queueOf = ({ lists, others }: Family): PageQueue => (left(lists) > 0 ? lists : others);

function first(family: Family): WalkPage {
  const { pages, next } = queueOf(family);
  return pages[next]!;
}

const newFamily = (canClose: boolean): Family => ({
  canClose,
  isClosed: false,
  lists: newPageQueue(),
  others: newPageQueue(),
  inFlight: 0,
  settled: 0,
  news: 0,
  barren: 0,
  gists: new Set(),
});

const newPageQueue = (): PageQueue => ({ pages: [], next: 0 });

const left = ({ pages, next }: PageQueue): number => pages.length - next;

const folderOf = (key: string): string => key.slice(0, key.lastIndexOf('/') + 1);

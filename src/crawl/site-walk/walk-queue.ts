// Which page of a site is read next: the one that should bring most that is new. Pages are judged by their families, and
// a family that brings nothing is given up.
import type { NewTask } from '../../store/queue.ts';

export type WalkPage = Pick<NewTask, 'url' | 'key' | 'depth' | 'steps' | 'pattern'>;

/** What came of reading a page. */
export interface PageYield {
  /** Addresses that nobody had found before ... */
  newUrls: number;
  /** ... and how many of them belong to other families than the page. */
  newUrlsElsewhere: number;
  /** The gist of its text, if it had any. */
  gist?: string;
}

export interface WalkQueue {
  /** Whether the page was taken in already, or is not to be. */
  isKnown(key: string): boolean;
  /** This address is not to be taken in: it has been read under another one. */
  exclude(key: string): void;
  /** Ignored where the page is known, its family is given up, or there is no room. */
  offer(page: WalkPage): void;
  /** The best page. Undefined when there is none, or none before those under way are settled. */
  take(): WalkPage | undefined;
  /** Every page that was taken must be settled or put back. True when it brought nothing new. */
  settle(page: WalkPage, harvest: PageYield): boolean;
  /** It could not be read now: its turn comes again. */
  putBack(page: WalkPage): void;
}

interface Family {
  /** Addresses with numbers or queries; others only share a folder, which says little, and never ends. */
  canClose: boolean;
  isClosed: boolean;
  /** Pages of lists, which lead to more of what the first page had. */
  lists: Line;
  others: Line;
  underWay: number;
  settled: number;
  news: number;
  /** Pages without news since the last one that had any. */
  barren: number;
  gists: Set<string>;
}

interface Line {
  pages: WalkPage[];
  next: number;
}

const CLOSING_BARREN = 30;
/** Lists go first, unless they lead round in what is known. */
const DOUBTFUL_BARREN = 3;
/** Only a thousand will be fetched, and the best place of each is looked for among all. */
const MAX_WAITING = 10_000;
/** A family on trial comes before those that brought nothing, and after those that brought something. */
const ON_TRIAL = 0.001;

export function createWalkQueue(): WalkQueue {
  const families = new Map<string, Family>();
  /** Those with pages that wait. */
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
    family.lists = newLine();
    family.others = newLine();
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
      lineOf(family).next += 1;
      family.underWay += 1;
      waiting -= 1;
      if (left(family.lists) + left(family.others) === 0) open.delete(family);
      return page;
    },
    settle(page, { newUrls: news, newUrlsElsewhere: otherNews, gist }) {
      const family = familyOf(page);
      // A calendar leads to the next month for ever, and each says the same.
      const isRepetition = news > 0 && otherNews === 0 && gist !== undefined && family.gists.has(gist);
      const isBarren = news === 0 || isRepetition;
      if (gist !== undefined) family.gists.add(gist);
      family.underWay -= 1;
      family.settled += 1;
      family.news += isBarren ? 0 : news;
      family.barren = isBarren ? family.barren + 1 : 0;
      if (family.canClose && family.barren >= CLOSING_BARREN) close(family);
      return isBarren;
    },
    putBack(page) {
      const family = familyOf(page);
      family.underWay -= 1;
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
    // Those under way may be the last ones that it is given.
    if (family.canClose && family.barren + family.underWay >= CLOSING_BARREN) continue;
    if (!best || isBefore(family, best)) best = family;
  }
  return best;
}

/** Lists that are not doubtful, then what promises most, then what is nearest to the start. */
function isBefore(a: Family, b: Family): boolean {
  const isList = isGoodList(a);
  if (isList !== isGoodList(b)) return isList;
  const difference = expectedYield(a) - expectedYield(b);
  // Two that were never tried differ by no number.
  return difference > 0 || (!(difference < 0) && first(a).depth < first(b).depth);
}

const isGoodList = ({ lists, barren }: Family): boolean => left(lists) > 0 && barren < DOUBTFUL_BARREN;

function expectedYield({ settled, underWay, news }: Family): number {
  if (settled > 0) return news / settled;
  return underWay > 0 ? ON_TRIAL : Number.POSITIVE_INFINITY;
}

const lineOf = ({ lists, others }: Family): Line => (left(lists) > 0 ? lists : others);

function first(family: Family): WalkPage {
  const { pages, next } = lineOf(family);
  return pages[next]!;
}

const newFamily = (canClose: boolean): Family => ({
  canClose,
  isClosed: false,
  lists: newLine(),
  others: newLine(),
  underWay: 0,
  settled: 0,
  news: 0,
  barren: 0,
  gists: new Set(),
});

const newLine = (): Line => ({ pages: [], next: 0 });

const left = ({ pages, next }: Line): number => pages.length - next;

const folderOf = (key: string): string => key.slice(0, key.lastIndexOf('/') + 1);

// From the links of a page to the tasks of a crawl: what is followed, under which key, how deep, and what is only listed.
import type { NewTask, Refusal } from '../../store/queue.ts';
import { isOtherPage, type ListPlace, listPlace, MAX_STEPS } from './pagination.ts';
import { type Judgement, MAX_URL_LENGTH, type Scope } from './scope.ts';
import { type KeyRules, urlKey, withoutFragment } from './url-key.ts';
import { urlPattern } from './url-pattern.ts';

export interface Frontier {
  scope: Scope;
  keyRules: KeyRules;
  /** Whether robots.txt lets the address be fetched. */
  robots: (url: URL) => boolean;
  memory?: LinkMemory;
}

export interface DiscoverInput extends Frontier {
  /** The page the links are on; `url` is where it was found after its redirects. */
  from: Pick<NewTask, 'depth' | 'steps' | 'pattern'> & { url: URL };
  /** Absolute addresses. */
  links: readonly string[];
  /** Those that call themselves the next part of the same list. */
  next: readonly string[];
  maxDepth?: number;
}

/** Links that were judged lately: the navigation of a site is on each of its pages. */
export interface LinkMemory {
  /** What is known of the link; another scope or other rules begin a new memory. */
  read(link: string, scope: Scope, rules: KeyRules): KnownLink | undefined;
}

export interface KnownLink {
  url: URL;
  /** As found on a home page. */
  judgement: Exclude<Judgement, 'out'>;
  key: string;
  pattern: string;
  place: ListPlace;
}

const MAX_LINKS = 10_000;
/** A page has one next page, perhaps in several spellings; more would be a way around the depth. */
const MAX_NEXT = 10;
/** Longer links are rare, and ten thousand of them would be a burden. */
const MAX_REMEMBERED_LENGTH = 256;
const FOUND_AT_HOME = { isHome: true };

/** The tasks that a page leads to, in the order of its links. */
export function discoverTasks(input: DiscoverInput): NewTask[] {
  const { from, scope, keyRules, robots, maxDepth = Number.POSITIVE_INFINITY } = input;
  const isHome = scope.isHome(from.url);
  const fromPlace = listPlace(from.url);
  const nextLinks = input.next.slice(0, MAX_NEXT);
  const nextKeys = new Set(nextLinks.map((link) => readLink(link, input)?.key));
  const seen = new Set([urlKey(from.url, keyRules)]);
  const tasks: NewTask[] = [];

  const follow = (link: string) => {
    const known = readLink(link, input);
    if (known === undefined || seen.has(known.key)) return;
    if (known.judgement !== 'in' && !isHome) return;
    seen.add(known.key);
    const isStep = known.judgement === 'in' && (nextKeys.has(known.key) || isOtherPage(fromPlace, known.place));
    const depth = isStep ? from.depth : from.depth + 1;
    const steps = isStep ? from.steps + 1 : 0;
    if (depth > maxDepth || steps > MAX_STEPS) return;
    const chained = known.pattern !== '' && known.pattern === from.pattern;
    tasks.push(pageTask(known, { depth, steps, chained }, refusalOf(known, robots)));
  };

  for (const link of input.links.slice(0, MAX_LINKS)) follow(link);
  for (const link of nextLinks) follow(link);
  return tasks;
}

/** The tasks of addresses that were not found on a page (sitemaps, the index): those in scope, at depth 0. */
export function seedTasks(links: readonly string[], frontier: Frontier): NewTask[] {
  const tasks = new Map<string, NewTask>();
  for (const link of links) {
    const known = readLink(link, frontier);
    if (known === undefined || tasks.has(known.key)) continue;
    tasks.set(known.key, pageTask(known, AT_START, refusalOf(known, frontier.robots)));
  }
  return [...tasks.values()];
}

/** The task of the address that a crawl starts at, whatever its scope. */
export const seedTask = (url: URL, keyRules: KeyRules, refused?: Refusal): NewTask =>
  pageTask({ url, key: urlKey(url, keyRules), pattern: urlPattern(url) }, AT_START, refused);

type Way = Pick<NewTask, 'depth' | 'steps' | 'chained'>;
const AT_START: Way = { depth: 0, steps: 0, chained: false };

function pageTask(link: Pick<KnownLink, 'url' | 'key' | 'pattern'>, way: Way, refused: Refusal | undefined): NewTask {
  const { url, key, pattern } = link;
  const { depth, steps, chained } = way;
  const task: NewTask = {
    kind: 'page',
    url: withoutFragment(url),
    key,
    host: url.host,
    depth,
    steps,
    pattern,
    chained,
  };
  if (refused) task.refused = refused;
  return task;
}

function refusalOf(link: KnownLink, robots: (url: URL) => boolean): Refusal | undefined {
  if (link.judgement === 'external-home-page') {
    return { by: 'scope', code: 'EXTERNAL_LINK', message: 'The link leads to the home page of another site.' };
  }
  return robots(link.url) ? undefined : { by: 'robots' };
}

const readLink = (link: string, { memory, scope, keyRules }: Frontier): KnownLink | undefined =>
  memory && link.length <= MAX_REMEMBERED_LENGTH
    ? memory.read(link, scope, keyRules)
    : judgeLink(link, scope, keyRules);

function judgeLink(link: string, scope: Scope, rules: KeyRules): KnownLink | undefined {
  const url = link.length <= MAX_URL_LENGTH ? URL.parse(link) : null;
  if (!url) return undefined;
  const judgement = scope.judge(url, FOUND_AT_HOME);
  if (judgement === 'out') return undefined;
  return { url, judgement, key: urlKey(url, rules), pattern: urlPattern(url), place: listPlace(url) };
}

/** Two generations: what is read again moves to the young one, and the old one is dropped whole when the young is full. */
export function createLinkMemory(limit = 10_000): LinkMemory {
  const generation = Math.max(1, limit >> 1);
  let young = new Map<string, KnownLink | undefined>();
  let old = new Map<string, KnownLink | undefined>();
  let judgedBy: [scope: Scope, similar: boolean, ignoreQuery: boolean] | undefined;

  const isFresh = (scope: Scope, rules: KeyRules) =>
    judgedBy?.[0] === scope && judgedBy[1] === rules.similar && judgedBy[2] === rules.ignoreQuery;

  const keep = (link: string, known: KnownLink | undefined) => {
    if (young.size >= generation) {
      old = young;
      young = new Map();
    }
    young.set(link, known);
    return known;
  };

  return {
    read(link, scope, rules) {
      if (!isFresh(scope, rules)) {
        young = new Map();
        old = new Map();
        judgedBy = [scope, rules.similar, rules.ignoreQuery];
      }
      const known = young.get(link);
      if (known !== undefined || young.has(link)) return known;
      return keep(link, old.has(link) ? old.get(link) : judgeLink(link, scope, rules));
    },
  };
}

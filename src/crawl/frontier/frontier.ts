// Turns the links of a page into the tasks of a crawl: which are followed, under which key, at what depth, and which
// are only listed.
import type { LinkRefusal, NewTask } from '../../store/ports/jobs/job-queue.ts';
import { UNLIMITED, type WorkBudget } from '../../util/work-budget.ts';
import { type DecidedLink, decideLink, type LinkMemory } from './link-memory.ts';
import { isOtherPage, listPosition, MAX_STEPS } from './pagination.ts';
import type { CrawlScope } from './scope.ts';
import { type KeyRules, urlKey, withoutFragment } from './url-key.ts';
import { urlPattern } from './url-pattern.ts';

export interface Frontier {
  scope: CrawlScope;
  keyRules: KeyRules;
  /** Whether robots.txt allows the URL. */
  robots: (url: URL) => boolean;
  memory?: LinkMemory;
  /** For all links together. Links that it does not cover are reported and not followed. */
  budget?: WorkBudget;
}

export interface DiscoverInput extends Frontier {
  /** The page with the links; `url` is its address after redirects. */
  from: Pick<NewTask, 'depth' | 'steps' | 'pattern'> & { url: URL };
  /** Absolute URLs. */
  links: readonly string[];
  /** Links marked as the next page of the same list. */
  next: readonly string[];
  maxDepth?: number;
}

const MAX_LINKS = 10_000;
/** A page has one next page, perhaps in several spellings. More would let a site bypass the depth limit. */
const MAX_NEXT = 10;

/** The tasks that a page leads to, in the order of its links. */
export function discoverTasks(input: DiscoverInput): NewTask[] {
  const { from, scope, keyRules, maxDepth = Number.POSITIVE_INFINITY } = input;
  const isHome = scope.isHome(from.url);
  const fromPosition = listPosition(from.url);
  const nextLinks = input.next.slice(0, MAX_NEXT);
  const nextKeys = new Set(nextLinks.map((link) => readLink(link, input)?.key));
  const seen = new Set([urlKey(from.url, keyRules)]);
  const tasks: NewTask[] = [];

  const follow = (link: string) => {
    const decided = readLink(link, input);
    if (decided === undefined || seen.has(decided.key)) return;
    if (decided.decision !== 'in' && decided.decision !== 'unjudged' && !isHome) return;
    seen.add(decided.key);
    const isStep =
      decided.decision === 'in' && (nextKeys.has(decided.key) || isOtherPage(fromPosition, decided.position));
    const depth = isStep ? from.depth : from.depth + 1;
    const steps = isStep ? from.steps + 1 : 0;
    if (depth > maxDepth || steps > MAX_STEPS) return;
    const chained = decided.pattern !== '' && decided.pattern === from.pattern;
    tasks.push(pageTask(decided, { depth, steps, chained }, refusalOf(decided, input)));
  };

  for (const link of input.links.slice(0, MAX_LINKS)) follow(link);
  for (const link of nextLinks) follow(link);
  return tasks;
}

/** A URL that was not found on a page but in a sitemap. */
export type Seed = Pick<NewTask, 'url' | 'lastModified'>;

/** The tasks for those seeds that are in scope, at depth 0. */
export function seedTasks(seeds: readonly Seed[], frontier: Frontier): NewTask[] {
  const tasks = new Map<string, NewTask>();
  for (const { url, lastModified } of seeds) {
    const decided = readLink(url, frontier);
    if (decided === undefined || tasks.has(decided.key)) continue;
    const task = pageTask(decided, AT_START, refusalOf(decided, frontier));
    tasks.set(decided.key, lastModified === undefined ? task : { ...task, lastModified });
  }
  return [...tasks.values()];
}

/** The task for the start URL of a crawl, which is exempt from its scope. */
export const seedTask = (url: URL, keyRules: KeyRules, refused?: LinkRefusal): NewTask =>
  pageTask({ url, key: urlKey(url, keyRules), pattern: urlPattern(url) }, AT_START, refused);

type TaskPosition = Pick<NewTask, 'depth' | 'steps' | 'chained'>;
const AT_START: TaskPosition = { depth: 0, steps: 0, chained: false };

function pageTask(
  { url, key, pattern }: Pick<DecidedLink, 'url' | 'key' | 'pattern'>,
  { depth, steps, chained }: TaskPosition,
  refused: LinkRefusal | undefined,
): NewTask {
  const address = withoutFragment(url);
  const task: NewTask = { kind: 'page', url: address, key, host: url.host, depth, steps, pattern, chained };
  if (refused) task.refused = refused;
  return task;
}

const NOT_CHECKED = {
  by: 'scope',
  code: 'LINK_NOT_CHECKED',
  message:
    'The link was not followed: comparing the links of its page with `includePaths`, `excludePaths` and robots.txt took too long. Use fewer or simpler expressions.',
} satisfies LinkRefusal;

/** Whether the link was skipped because its page had used up its budget. */
export const isUnchecked = ({ refused }: NewTask): boolean =>
  refused?.by === 'scope' && refused.code === NOT_CHECKED.code;

function refusalOf(link: DecidedLink, { robots, budget = UNLIMITED }: Frontier): LinkRefusal | undefined {
  if (link.decision === 'unjudged' || budget.isSpent()) return NOT_CHECKED;
  if (link.decision === 'external-home-page') {
    return { by: 'scope', code: 'EXTERNAL_LINK', message: 'The link leads to the home page of another site.' };
  }
  return robots(link.url) ? undefined : { by: 'robots' };
}

const readLink = (link: string, { memory, scope, keyRules, budget }: Frontier): DecidedLink | undefined =>
  memory ? memory.read(link, scope, keyRules, budget) : decideLink(link, scope, keyRules, budget);

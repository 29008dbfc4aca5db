// Gathers data from the web for a prompt and a schema: find pages, rank them, read the best, follow what they link to,
// merge what they say. With a language model or without one, the way is the same.
import type { Citation } from '../../contracts/understanding.ts';
import type { GatherWork } from '../../understand/gather/gather-work.ts';
import type { GatherGoal, MergedData, ReadPage, WeightedPage } from '../../understand/gather/gathered.ts';
import type { TaskPlan } from '../../understand/gather/task-words.ts';
import { createLinkFrontier, type LinkFrontier } from './link-frontier.ts';
import { followLists, type ListReading } from './list-pages.ts';
import { type AskedPage, createPageReader, type PageReader } from './page-reader.ts';
import { isRefused, type MapToolOptions, type WebTools } from './web-tools.ts';

export interface GatherTask extends GatherGoal {
  /** Queries for the search; without them, the words of the prompt are searched. */
  queries?: readonly string[];
  /** What the model is told in addition to the prompt. */
  instructions?: string;
  /** Where to begin. One that ends in `/*` stands for the pages of its site that fit best. */
  urls: readonly string[];
  maxPages: number;
  /** Whether the links of pages may be followed, and how far. */
  maxHops: number;
  /** Whether the web is searched: if no URL is known, or also then. */
  search: 'never' | 'without-urls' | 'always';
  map?: MapToolOptions;
  /** Whether links to other sites may be followed. */
  leavesSites: boolean;
}

export interface GatherDeps {
  web: WebTools;
  work: GatherWork;
  /** A language model reads the pages, so it is told the prompt. */
  hasModel: boolean;
  /** Whether to end with what was found so far. */
  isTimeUp?(): boolean;
}

export interface Gathered {
  /** Absent if nothing was found. */
  data?: unknown;
  /** What the schema demands and `data` does not fulfil. */
  problems: string[];
  /** By path in `data`: `products[0].price`. */
  sources: Record<string, string[]>;
  citations: Record<string, Citation>;
  warnings: string[];
  /** The pages that were read, the best ones first. */
  pages: { url: string; title?: string }[];
  /** The limit that ended it early. */
  stopped?: 'max_credits' | 'max_time';
}

const AT_ONCE = 4;
const SEARCH_LIMIT = 10;
const MAP_LIMIT = 100;
/** Sections of a site that are read if no link names what is asked for. */
const MAX_EXPLORED = 8;
/** A question needs few pages; what the best ones do not say, the next ones rarely do. */
const ENOUGH_FOR_ANSWER = 6;
/** A page that the caller named counts at least this much. */
const NAMED_WEIGHT = 0.3;

interface Gathering {
  task: GatherTask;
  deps: GatherDeps;
  reader: PageReader;
  frontier: LinkFrontier;
  asked: AskedPage;
  plan: TaskPlan;
  named: Set<string>;
  pages: Map<string, ReadPage>;
}

export async function gather(deps: GatherDeps, task: GatherTask): Promise<Gathered> {
  const { web, work } = deps;
  const goal = { prompt: task.prompt, schema: task.schema };
  const reader = createPageReader(web);
  const plan = await work.plan(goal);
  const starts = task.urls.length > 0 ? task.urls : plan.sites;
  const frontier = createLinkFrontier({
    goal,
    work,
    isTried: reader.isTried,
    maxHops: task.maxHops,
    mayRead: (url) => web.isAllowed(url) && (task.leavesSites || isOnSites(url, starts)),
  });
  const words = [task.instructions, task.prompt].filter((text) => text).join('\n\n');
  const asked = {
    ...(task.schema && { schema: task.schema }),
    isFree: isFree(deps, task),
    ...(deps.hasModel && words !== '' && { prompt: words }),
  };
  const gathering: Gathering = { task, deps, reader, frontier, asked, plan, named: new Set(), pages: new Map() };
  await begin(gathering, starts);
  await follow(gathering);
  return await finish(gathering);
}

/** Without a schema, a model writes what the prompt asks for; without a prompt, the page says what it has. */
const isFree = ({ hasModel }: GatherDeps, { schema, prompt }: GatherTask): boolean =>
  schema === undefined && (hasModel || prompt === undefined);

/** Reads the named pages, and finds others by maps and searches. */
async function begin(gathering: Gathering, starts: readonly string[]): Promise<void> {
  const { task, deps, frontier, plan } = gathering;
  const single = starts.filter((url) => !url.endsWith('*'));
  await read(gathering, single.slice(0, task.maxPages), { isNamed: true });
  for (const site of starts.filter((url) => url.endsWith('*'))) {
    const home = site.replace(/\/?\*$/, '/');
    const found = await deps.web.map(home, { ...task.map, search: plan.query || undefined, limit: MAP_LIMIT });
    if (isRefused(found)) await read(gathering, [home], { isNamed: true });
    else frontier.addFound(found);
  }
  const isSearched = task.search === 'always' || (task.search === 'without-urls' && starts.length === 0);
  if (!isSearched) return;
  const queries = task.queries && task.queries.length > 0 ? task.queries : [plan.query];
  for (const query of queries.filter((text) => text !== '')) {
    const found = await deps.web.search(query, { limit: SEARCH_LIMIT });
    if (!isRefused(found)) frontier.addFound(found);
  }
}

async function read(gathering: Gathering, urls: readonly string[], { isNamed = false } = {}): Promise<number> {
  const { reader, asked, deps, frontier, pages, named, task } = gathering;
  const found = await reader.read(urls, { ...asked, isNamed });
  for (const page of found) {
    if (page.markdown !== '') pages.set(page.url, page);
    if (isNamed) named.add(page.url);
    if (task.maxHops > 0) frontier.addLinks(page, await deps.work.links(page));
  }
  return found.length;
}

async function follow(gathering: Gathering): Promise<void> {
  const { task, deps, frontier, pages, reader } = gathering;
  let explored = 0;
  while (pages.size < task.maxPages && !reader.isOutOfCredits() && !deps.isTimeUp?.()) {
    const next = await frontier.next(Math.min(AT_ONCE, task.maxPages - pages.size));
    if (next.urls.length === 0 || (next.isExploring && explored >= MAX_EXPLORED)) return;
    if (await isEnough(gathering, next.named)) return;
    if (next.isExploring) explored += next.urls.length;
    await read(gathering, next.urls);
  }
}

/** Whether what was read answers the task, and no link promises to answer it better. */
async function isEnough(gathering: Gathering, promised: number): Promise<boolean> {
  const { task, deps, pages, plan, named } = gathering;
  if (pages.size === 0) return false;
  if (!task.schema) return pages.size >= ENOUGH_FOR_ANSWER;
  const { weighted, best } = await weigh(gathering);
  const { value, problems } = await deps.work.merge(task.schema, weighted, []);
  if (value === undefined || problems.length > 0) return false;
  // A list on a page that the caller named is the one that was meant.
  return promised < best || (plan.isList && pages.size === named.size);
}

/** The pages with their weights, and how much of the task the page that fits best names. */
async function weigh({ task, deps, pages, named }: Gathering): Promise<{ weighted: WeightedPage[]; best: number }> {
  const list = [...pages.values()];
  const relevance = await deps.work.scorePages({ prompt: task.prompt, schema: task.schema }, list);
  const top = Math.max(...relevance.map(({ score }) => score), Number.MIN_VALUE);
  const weighted = list.map((page, at) => {
    const weight = (relevance[at]!.score / top) ** 2;
    const isNamed = named.has(page.url);
    return { page, isNamed, weight: isNamed ? Math.max(weight, NAMED_WEIGHT) : weight };
  });
  const best = Math.max(...relevance.map(({ named: share }) => share), 0);
  return { weighted: weighted.toSorted((a, b) => b.weight - a.weight), best };
}

async function finish(gathering: Gathering): Promise<Gathered> {
  const { task, deps, reader } = gathering;
  const { weighted } = await weigh(gathering);
  const outcome = task.schema
    ? await fillSchema(gathering, weighted, task.schema)
    : isFree(deps, task)
      ? await deps.work.mergeFree(weighted).then(asOutcome)
      : await answer(deps.work, task.prompt ?? '', weighted);
  const { warnings = [], ...result } = outcome;
  return {
    ...result,
    warnings: [...reader.warnings(), ...warnings],
    pages: weighted.map(({ page: { url, title } }) => ({ url, ...(title && { title }) })),
    ...(deps.isTimeUp?.() && { stopped: 'max_time' as const }),
    ...(reader.isOutOfCredits() && { stopped: 'max_credits' as const }),
  };
}

type Outcome = Pick<Gathered, 'data' | 'problems' | 'sources' | 'citations'> & { warnings?: string[] };

async function fillSchema(gathering: Gathering, weighted: WeightedPage[], schema: object): Promise<Outcome> {
  const { deps, reader, task } = gathering;
  const goal = schema as NonNullable<GatherTask['schema']>;
  const lists: ListReading = await followLists(
    { work: deps.work, reader, mayFollow: task.maxHops > 0, maxPages: task.maxPages },
    goal,
    weighted,
  );
  return asOutcome(await deps.work.merge(goal, lists.pages, lists.details));
}

const asOutcome = ({ value, contradictions, ...merged }: MergedData): Outcome => ({
  ...merged,
  ...(value !== undefined && { data: value }),
  warnings: contradictions,
});

/** Without a schema: the passages that answer the prompt, each with its page. */
async function answer(work: GatherWork, prompt: string, weighted: WeightedPage[]): Promise<Outcome> {
  const found = prompt === '' ? [] : await work.answer(prompt, weighted);
  if (found.length === 0) return { problems: [], sources: {}, citations: {} };
  const passages = found.map(({ citation, title }) => ({
    text: citation.text,
    url: citation.url,
    ...(title && { title }),
  }));
  const citations = Object.fromEntries(found.map(({ citation }, at) => [`passages[${at}].text`, citation]));
  return {
    data: { answer: passages.map(({ text }) => text).join('\n\n'), passages },
    problems: [],
    citations,
    sources: {
      answer: [...new Set(passages.map(({ url }) => url))],
      ...Object.fromEntries(passages.map(({ url }, at) => [`passages[${at}].text`, [url]])),
    },
  };
}

function isOnSites(url: string, starts: readonly string[]): boolean {
  const host = URL.parse(url)?.hostname.replace(/^www\./, '');
  return starts.some((start) => {
    const home = URL.parse(/^https?:/i.test(start) ? start : `http://${start}`)?.hostname.replace(/^www\./, '');
    return home !== undefined && (host === home || host?.endsWith(`.${home}`));
  });
}

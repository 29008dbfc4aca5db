// Gathers data from the web for a prompt and a schema: find pages, rank them, read the best, follow what they link to,
// merge what they say. With a language model or without one, the way is the same.
import type { Citation } from '../../page/understanding.ts';
import type { GatherWork } from '../../understand/gather/gather-work.ts';
import type { GatherGoal, MergedData, SourcePage, WeightedPage } from '../../understand/gather/gathered.ts';
import type { TaskPlan } from '../../understand/gather/task-words.ts';
import type { JsonSchema } from '../../understand/json/schema/subschemas.ts';
import { createLinkFrontier, type LinkFrontier } from './link-frontier.ts';
import { followLists, type ListReading } from './list-pages.ts';
import { type AskedPage, createPageReader, type PageReader, type ReaderEnd } from './page-reader.ts';
import { badPageWarnings, skipBadPages } from './skip-bad-pages.ts';
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
  /** The jobs with which a run that was cancelled merges what it has; undefined if `error` is something else. */
  workAfter?(error: unknown): GatherWork | undefined;
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
  /** What ended it early. */
  stopped?: ReaderEnd | 'cancelled';
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
  web: WebTools;
  work: GatherWork;
  /** URLs of pages that could not be processed. */
  bad: Set<string>;
  reader: PageReader;
  frontier: LinkFrontier;
  asked: AskedPage;
  plan: TaskPlan;
  starts: readonly string[];
  named: Set<string>;
  pages: Map<string, SourcePage>;
  /** What was read to complete lists, as far as it came. */
  lists: ListReading;
}

export async function gather(given: GatherDeps, task: GatherTask): Promise<Gathered> {
  const gathering = await prepare(given, task);
  try {
    await begin(gathering);
    await follow(gathering);
    if (task.schema) await completeLists(gathering, task.schema);
    return await merge(gathering, given.hasModel);
  } catch (error) {
    const work = given.workAfter?.(error);
    if (!work) throw error;
    const found = await merge({ ...gathering, work: skipBadPages(work, gathering.bad) }, given.hasModel);
    return { ...found, stopped: 'cancelled' };
  }
}

async function prepare(deps: GatherDeps, task: GatherTask): Promise<Gathering> {
  const { web, hasModel } = deps;
  const bad = new Set<string>();
  const work = skipBadPages(deps.work, bad);
  const goal = { prompt: task.prompt, schema: task.schema };
  const reader = createPageReader(web, deps.isTimeUp);
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
    isFree: isFree(hasModel, task),
    ...(hasModel && words !== '' && { prompt: words }),
  };
  const [named, pages] = [new Set<string>(), new Map<string, SourcePage>()];
  const lists = { pages: [], details: [] };
  return { task, web, work, bad, reader, frontier, asked, plan, starts, named, pages, lists };
}

/** Without a schema, a model writes what the prompt asks for; without a prompt, the page says what it has. */
const isFree = (hasModel: boolean, { schema, prompt }: GatherTask): boolean =>
  schema === undefined && (hasModel || prompt === undefined);

/** Reads the named pages, and finds others by maps and searches. */
async function begin(gathering: Gathering): Promise<void> {
  const { task, web, reader, frontier, plan, starts } = gathering;
  const single = starts.filter((url) => !url.endsWith('*'));
  await read(gathering, single.slice(0, task.maxPages), { isNamed: true });
  for (const site of starts.filter((url) => url.endsWith('*'))) {
    const home = site.replace(/\/?\*$/, '/');
    const found = await web.map(home, { ...task.map, search: plan.query || undefined, limit: MAP_LIMIT });
    if (isRefused(found)) await read(gathering, [home], { isNamed: true });
    else frontier.addFound(found);
  }
  const isSearched = task.search === 'always' || (task.search === 'without-urls' && starts.length === 0);
  if (!isSearched) return;
  const queries = task.queries && task.queries.length > 0 ? task.queries : [plan.query];
  for (const query of queries.filter((text) => text !== '')) {
    const found = await web.search(query, { limit: SEARCH_LIMIT });
    if (isRefused(found)) reader.noteRefusal('The web could not be searched', found);
    else frontier.addFound(found);
  }
}

async function read(gathering: Gathering, urls: readonly string[], { isNamed = false } = {}): Promise<void> {
  const { reader, asked, work, frontier, pages, named, task } = gathering;
  const found = await reader.read(urls, { ...asked, isNamed });
  for (const page of found) {
    if (page.markdown !== '') pages.set(page.url, page);
    if (isNamed) named.add(page.url);
    if (task.maxHops > 0) frontier.addLinks(page, await work.links(page));
  }
}

async function follow(gathering: Gathering): Promise<void> {
  const { task, frontier, pages, reader } = gathering;
  let explored = 0;
  while (pages.size < task.maxPages && !reader.ended()) {
    const next = await frontier.next(Math.min(AT_ONCE, task.maxPages - pages.size));
    if (next.urls.length === 0 || (next.isExploring && explored >= MAX_EXPLORED)) return;
    if (await isEnough(gathering, next.named)) return;
    if (next.isExploring) explored += next.urls.length;
    await read(gathering, next.urls);
  }
}

/** Whether what was read answers the task, and no link promises to answer it better. */
async function isEnough(gathering: Gathering, promised: number): Promise<boolean> {
  const { task, work, pages, plan, named } = gathering;
  if (pages.size === 0) return false;
  if (!task.schema) return pages.size >= ENOUGH_FOR_ANSWER;
  const { weighted, best } = await weigh(gathering);
  const { value, problems } = await work.merge(task.schema, weighted, []);
  if (value === undefined || problems.length > 0) return false;
  // A list on a page that the caller named is the one that was meant.
  return promised < best || (plan.isList && pages.size === named.size);
}

/** The pages with their weights, and how much of the task the page that fits best names. */
async function weigh(gathering: Gathering): Promise<{ weighted: WeightedPage[]; best: number }> {
  const { task, work, bad, pages, named, plan } = gathering;
  const list = [...pages.values()];
  const relevance = await work.scorePages({ prompt: task.prompt, schema: task.schema }, list);
  const top = Math.max(...relevance.map(({ score }) => score), Number.MIN_VALUE);
  const weighted = list.map((page, at) => {
    const weight = (relevance[at]!.score / top) ** 2;
    const isNamed = named.has(page.url);
    const isMeant = isNamed && plan.isAboutUrls;
    return { page, isNamed, isMeant, weight: isNamed ? Math.max(weight, NAMED_WEIGHT) : weight };
  });
  const best = Math.max(...relevance.map(({ named: share }) => share), 0);
  const sound = weighted.filter(({ page }) => !bad.has(page.url));
  return { weighted: sound.toSorted((a, b) => b.weight - a.weight), best };
}

/** Reads what belongs to the lists of the schema. */
async function completeLists(gathering: Gathering, schema: JsonSchema): Promise<void> {
  const { task, work, reader, lists } = gathering;
  const { weighted } = await weigh(gathering);
  await followLists({ work, reader, mayFollow: task.maxHops > 0, maxPages: task.maxPages }, schema, weighted, lists);
}

async function merge(gathering: Gathering, hasModel: boolean): Promise<Gathered> {
  const { task, work, reader, bad, lists } = gathering;
  const { weighted } = await weigh(gathering);
  const outcome = task.schema
    ? asOutcome(await work.merge(task.schema, [...weighted, ...lists.pages], lists.details))
    : isFree(hasModel, task)
      ? asOutcome(await work.mergeFree(weighted))
      : await answer(work, task.prompt ?? '', weighted);
  const { warnings = [], ...result } = outcome;
  const stopped = reader.ended();
  return {
    ...result,
    warnings: [...reader.warnings(), ...badPageWarnings(bad), ...warnings],
    pages: weighted.map(({ page: { url, title } }) => ({ url, ...(title && { title }) })),
    ...(stopped && { stopped }),
  };
}

type Outcome = Pick<Gathered, 'data' | 'problems' | 'sources' | 'citations'> & { warnings?: string[] };

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

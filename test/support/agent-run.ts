// A run of an agent in the test process: the real handler, models and threads over a scripted model and a small web of pages.
import type { TestContext } from 'node:test';
import { type AgentResult, type AgentRun, agentRequest } from '../../src/contracts/agent/agent.ts';
import type { RunOutcome } from '../../src/jobs/runs/run-handler.ts';
import { type AgentDeps, createAgentHandler, type WebUse } from '../../src/operations/agent/agent-handler.ts';
import type { AgentCaps } from '../../src/operations/agent/agent-limits.ts';
import type { BrowserParts } from '../../src/operations/agent/use-page.ts';
import { createAllowedUrls } from '../../src/operations/gather/allowed-urls.ts';
import { createRunBudget } from '../../src/operations/gather/run-budget.ts';
import { LIMIT_CODES, type WebTools } from '../../src/operations/gather/web-tools.ts';
import type { ThreatCheck } from '../../src/policy/threats/threat-check.ts';
import type { RunView } from '../../src/store/ports/runs/run-store.ts';
import type { Understander } from '../../src/understand/understander.ts';
import { type Clock, systemClock } from '../../src/util/clock.ts';
import { NO_BROWSER } from './memory-browser.ts';
import type { ModelReply, ReceivedCall, ReplyRule } from './models/model-server.ts';
import { openTestModels, type TestModels } from './models/test-models.ts';
import { createMemoryRun, type MemoryRun, type MemoryStep } from './run-tools.ts';
import { sharedPagePool } from './threads.ts';

export interface AgentWorld {
  models: TestModels;
  run(options?: RunOptions): Promise<AgentEnd>;
}

export interface RunOptions {
  request?: Partial<AgentRun>;
  view?: Partial<RunView>;
  caps?: Partial<AgentCaps>;
  /** Steps of a run that was killed. */
  earlier?: readonly MemoryStep[];
  /** Called with the run before it begins, for example to stop it later. */
  prepare?(run: MemoryRun): void;
  /** Milliseconds that the run has taken. */
  elapsedMs?: () => number;
  turnsBefore?: RunView[];
  /** None unless given. */
  browser?: BrowserParts;
  /** The rules of the run. */
  threatCheck?: ThreatCheck;
}

export interface AgentEnd {
  outcome: RunOutcome;
  result: AgentResult;
  run: MemoryRun;
  /** URLs that were requested from the web, in order, and queries as `search:words`. */
  requested: string[];
  events: ReturnType<ReturnType<typeof createAgentHandler>['endEvents']>;
}

const CAPS: AgentCaps = { maxSteps: 40, maxTokens: 1_000_000, maxMinutes: 30, maxPagesPerHost: 50 };

/** Markdown by URL, or what loads it. Links are those of the Markdown. */
export type SmallWeb = Readonly<Record<string, string>> | { load(url: string): Promise<string | undefined> };

export async function openAgent(
  t: TestContext,
  rule: ReplyRule,
  pages: SmallWeb = {},
  settings: Record<string, string> = {},
  clock: Clock = systemClock,
): Promise<AgentWorld> {
  const models = await openTestModels(t, rule, {
    settings: { TRAWL_MODEL_CONTEXT_TOKENS: '64000', ...settings },
    clock,
  });
  const understander: Pick<Understander, 'tools'> = {
    tools: ({ asker, isPrivate, spending }, signal) => ({
      work: sharedPagePool().workFor(asker, signal),
      model: (purpose) => models.models.choose(purpose, { ...asker, isPrivate, ...(spending && { spending }) }),
      signal,
    }),
  };
  return {
    models,
    async run({ request, view, caps, earlier = [], prepare, elapsedMs, turnsBefore = [], ...options } = {}) {
      const { browser = NO_BROWSER, threatCheck } = options;
      const run = createMemoryRun({ earlier });
      if (elapsedMs) run.elapsedMs = elapsedMs;
      prepare?.(run);
      const requested: string[] = [];
      const deps: AgentDeps = {
        understander,
        sessions: browser.sessions,
        drivePage: browser.drivePage,
        runs: { list: async () => turnsBefore },
        caps: { ...CAPS, ...caps },
        clock: { now: clock.now, sleep: async () => {} },
        openWeb: async (_run, _tools, use) => ({
          ...smallWeb(pages, run, use, requested),
          openThreatCheck: async () => threatCheck,
        }),
      };
      const handler = createAgentHandler(deps);
      const asked = { ...agentRequest.parse({ prompt: 'Find it.', ...request }), baseUrl: 'http://trawl.test' };
      const seen = viewOf(asked as AgentRun, view);
      const outcome = await handler.work(seen, run);
      const result = (outcome.result ?? {}) as AgentResult;
      return { outcome, result, run, requested, events: handler.endEvents(seen, outcome) };
    },
  };
}

const viewOf = (request: AgentRun, view: Partial<RunView> = {}): RunView => ({
  id: 'run',
  teamId: 'team',
  kind: 'agent',
  request,
  zeroDataRetention: false,
  createdAt: 0,
  turn: 1,
  status: 'running',
  credits: 0,
  tokens: 0,
  workedMs: 0,
  attempt: 1,
  hasWebhook: false,
  expiresAt: 0,
  ...view,
});

/** Like the real tools, a call is a step, costs credits and keeps to the limits; pages come from memory. */
function smallWeb(
  given: SmallWeb,
  run: MemoryRun,
  { limits, eventsOf }: WebUse,
  requested: string[],
): Omit<WebTools, 'openThreatCheck'> {
  const pages = typeof given.load === 'function' ? {} : (given as Record<string, string>);
  const load = typeof given.load === 'function' ? given.load : async (url: string) => pages[url];
  const isAllowed = createAllowedUrls(limits.onlyWithin);
  const budget = createRunBudget(run, limits);
  const once = <T extends object>(name: string, input: { url?: string; query?: string }, work: () => T | Promise<T>) =>
    run.step({ key: `${name} ${JSON.stringify(input)}`, name, input }, async () => {
      const done = await budget.within(1, async () => {
        requested.push(input.url ?? `search:${input.query}`);
        return work();
      });
      const events = 'refused' in done ? [] : eventsOf({ name, input, credits: 1 });
      return { output: done, credits: 'refused' in done ? 0 : 1, events };
    });
  const outside = (url: string) => ({ refused: `${url} is outside.`, code: LIMIT_CODES.outside });
  return {
    isAllowed,
    search: (query) => once('search', { query }, () => Object.keys(pages).map((url) => ({ url, title: url }))),
    map: async (url) =>
      isAllowed(url)
        ? once('map', { url }, () =>
            Object.keys(pages)
              .filter((each) => each.startsWith(url))
              .map((each) => ({ url: each })),
          )
        : outside(url),
    async scrape(url) {
      if (!isAllowed(url)) return outside(url);
      if (!budget.countPage(url)) return { refused: 'Too many pages of this host.', code: LIMIT_CODES.host };
      return once('scrape', { url }, async () => {
        const markdown = await load(url);
        if (markdown === undefined) return { refused: 'The page does not exist.', code: 'SCRAPE_SITE_ERROR' };
        const links = [...markdown.matchAll(/\]\((https?:[^)\s]+)\)/g)].map(([, link]) => link!);
        return { url, finalUrl: url, title: 'A page', statusCode: 200, markdown, links };
      });
    },
  };
}

/** One reply after the other; the last one again and again. */
export const inTurn =
  (...replies: readonly (ModelReply | ((call: ReceivedCall) => ModelReply))[]): ReplyRule =>
  (call, count) => {
    const reply = replies[Math.min(count, replies.length) - 1]!;
    return typeof reply === 'function' ? reply(call) : reply;
  };

/** A turn that calls one tool. */
export const calls = (name: string, input: unknown, text?: string): ModelReply => ({
  ...(text !== undefined && { text }),
  toolCalls: [{ name, input }],
});

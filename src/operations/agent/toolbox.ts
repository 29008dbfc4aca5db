// Runs the tools of an agent. Each call is a step; calls to the web go through WebTools, and only to URLs that somebody else
// than the model has named.
import type { RunTools } from '../../jobs/runs/run-handler.ts';
import type { RunEvent } from '../../store/ports/runs/run-store.ts';
import type { AgentCall, PageTask } from '../../understand/agent/agent-tools.ts';
import { addToDraft, type Draft, EMPTY_DRAFT } from '../../understand/agent/draft.ts';
import type { KnownUrls } from '../../understand/agent/known-urls.ts';
import { pagePiece } from '../../understand/agent/page-piece.ts';
import type { PassageSpan } from '../../understand/passages/find-passages.ts';
import { NOTES } from '../../understand/prompts/tasks/agent.ts';
import type { UnderstandWork } from '../../understand/understand-work.ts';
import type { FoundPage, GatheredPage, Refused, WebTools } from '../gather/web-tools.ts';
import { createReadPages, type ReadPages } from './read-pages.ts';
import { foundText, passagesText, pieceText, refusedText, same, type ToolText, usedText } from './tool-texts.ts';
import type { PageUser } from './use-page.ts';

export interface ToolOutcome extends ToolText {
  /** It brought something that was not known. */
  isNew: boolean;
  /** Why not, by the code of the refusal. */
  refusal?: string;
}

export interface Toolbox {
  /** Runs the calls of a turn; requests to the web at the same time, everything else in order. */
  run(turn: number, calls: readonly AgentCall[], options?: { isCorrection?: boolean }): Promise<ToolOutcome[]>;
  readonly draft: Draft;
  readonly pages: ReadPages;
  /** Turns of the model on pages that it used. */
  readonly pageTurns: number;
}

export interface ToolboxParts {
  tools: RunTools;
  web: WebTools;
  work: Pick<UnderstandWork, 'passages'>;
  known: KnownUrls;
  /** Absent if no page can be used. */
  pageUser?: PageUser | undefined;
  pieceCharacters: number;
  /** For the webhook, for each call. */
  events(action: string, input: unknown): RunEvent[];
}

type Fetched = { page: GatheredPage } | { found: FoundPage[] } | Refused;

const MAP_LIMIT = 100;
const SEARCH_LIMIT = 10;
const UNKNOWN_URL: Refused = { refused: NOTES.unknownUrl, code: 'UNKNOWN_URL' };
const WEB_CALLS: ReadonlySet<string> = new Set(['search', 'map', 'scrape', 'find_in_page']);

export function createToolbox(parts: ToolboxParts): Toolbox {
  const { tools, web, work, known, pageUser, pieceCharacters, events } = parts;
  const pages = createReadPages();
  let draft = EMPTY_DRAFT;
  let isCorrection = false;

  const askWeb = async (call: AgentCall, key: string): Promise<Fetched | undefined> => {
    if (!WEB_CALLS.has(call.tool)) return undefined;
    if (call.tool === 'search') return asFound(await web.search(call.input.query, { limit: SEARCH_LIMIT }));
    const { url: asked, search } = call.input as { url: string; search?: string };
    const url = known.find(asked);
    if (url === undefined) {
      // A step all the same: the trace shows what the model was talked into.
      return tools.step({ key, name: call.tool, input: call.input }, async () => ({ output: UNKNOWN_URL }));
    }
    if (call.tool === 'map') return asFound(await web.map(url, { limit: MAP_LIMIT, ...(search && { search }) }));
    const page = await web.scrape(url);
    return 'refused' in page ? page : { page };
  };

  const showPage = async (call: AgentCall, { page }: { page: GatheredPage }, key: string): Promise<ToolOutcome> => {
    known.add([page.finalUrl, ...page.links]);
    const { url, markdown } = pages.add(page);
    if (call.tool !== 'find_in_page') {
      const { offset } = call.input as { offset: number };
      return { ...pieceText(page, pagePiece(markdown, offset, pieceCharacters)), isNew: true };
    }
    const { query } = call.input;
    const spans = await tools.step<PassageSpan[]>({ key, name: call.tool, input: call.input }, async () => ({
      output: await work.passages.highlight(markdown, { question: query }),
      events: events(call.tool, call.input),
    }));
    return { ...passagesText(url, markdown, spans), isNew: true };
  };

  const usePage = async (user: PageUser, task: PageTask, at: { key: string; turn: number }): Promise<ToolOutcome> => {
    const used = await user.use(task, at);
    if ('refused' in used) return { ...refusedText(used), isNew: false, refusal: used.code };
    const { page } = used;
    if (page) {
      known.add([page.url]);
      // A name of its own: the same address may have been read without using it.
      pages.add({ url: `${page.url}#${at.key}`, finalUrl: page.url, title: page.title, markdown: page.text });
    }
    return { ...usedText(used, pieceCharacters), isNew: page !== undefined };
  };

  const record = async (input: Extract<AgentCall, { tool: 'record' }>['input'], key: string): Promise<ToolOutcome> => {
    const next = addToDraft(draft, input, { isCorrection });
    if (!next) return { ...same('The result would become too large. Nothing was added.'), isNew: false };
    const isNew = JSON.stringify(next.data) !== JSON.stringify(draft.data) || next.claims.length > draft.claims.length;
    draft = next;
    if (isNew) {
      await tools.step({ key, name: 'draft', input: {} }, async () => ({
        output: { data: draft.data, kind: 'json' },
        events: events('record', { data: input.data }),
      }));
    }
    return { ...same(isNew ? 'Recorded.' : 'This was recorded before.'), isNew };
  };

  const finish = async (
    call: AgentCall,
    fetched: Fetched | undefined,
    { key, turn }: { key: string; turn: number },
  ): Promise<ToolOutcome> => {
    if (fetched && 'refused' in fetched) return { ...refusedText(fetched), isNew: false, refusal: fetched.code };
    if (fetched && 'page' in fetched) return showPage(call, fetched, key);
    if (fetched) {
      known.add(fetched.found.map(({ url }) => url));
      return { ...foundText(fetched.found), isNew: fetched.found.length > 0 };
    }
    if (call.tool === 'use_page' && pageUser) return usePage(pageUser, call.input, { key, turn });
    if (call.tool === 'record') return record(call.input, key);
    if (call.tool === 'finish' && call.input.data) {
      return record({ data: call.input.data, sources: call.input.sources, replace: false }, key);
    }
    return { ...same('Done.'), isNew: true };
  };

  return {
    async run(turn, calls, options = {}) {
      isCorrection = options.isCorrection === true;
      const keyOf = (at: number) => `call ${turn}.${at}`;
      const fetched = await Promise.all(calls.map((call, at) => askWeb(call, keyOf(at))));
      const outcomes: ToolOutcome[] = [];
      // In order, so that a run that is repeated after a stop takes the same way.
      for (const [at, call] of calls.entries()) {
        outcomes.push(await finish(call, fetched[at], { key: keyOf(at), turn }));
      }
      return outcomes;
    },
    get draft() {
      return draft;
    },
    pages,
    get pageTurns() {
      return pageUser?.turns ?? 0;
    },
  };
}

const asFound = (found: FoundPage[] | Refused): Fetched => ('refused' in found ? found : { found });

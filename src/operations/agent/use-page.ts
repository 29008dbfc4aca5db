// The tool `use_page`: a model carries out an instruction in a browser that is opened for it. What it types leaves this
// machine, so it is only for sites that the caller has named, and the browser opens no document anywhere else.
import type { AgentRun } from '../../contracts/agent/agent.ts';
import { ServiceError } from '../../contracts/errors/errors.ts';
import { isUrlRefusal } from '../../contracts/threats/url-refusals.ts';
import { RunCancelled, type RunTools, type StepDone } from '../../jobs/runs/run-handler.ts';
import type { ThreatCheck } from '../../policy/threats/threat-check.ts';
import type { DrivePage, PageDriver } from '../../sessions/page-driver.ts';
import type { BrowserSession, Sessions } from '../../sessions/session.ts';
import type { RunEvent, RunView } from '../../store/ports/runs/run-store.ts';
import type { PageTask } from '../../understand/agent/agent-tools.ts';
import { type KnownUrls, urlsIn } from '../../understand/agent/known-urls.ts';
import { NOTES } from '../../understand/prompts/tasks/agent.ts';
import { readUrl } from '../../urls/url.ts';
import { startDeadline } from '../../util/abort.ts';
import type { Clock } from '../../util/clock.ts';
import { actOnPage, type DoneAction } from '../browser/act/act-on-page.ts';
import { keepToHosts } from '../browser/guarded-session.ts';
import { createAllowedUrls } from '../gather/allowed-urls.ts';
import { LIMIT_CODES, type Refused, type WebTools } from '../gather/web-tools.ts';
import { sessionCredits } from '../team/credits.ts';
import type { AgentLimits } from './agent-limits.ts';
import type { ChosenModel } from './take-turn.ts';

export interface BrowserParts {
  sessions: Pick<Sessions, 'open' | 'end' | 'unavailable'>;
  drivePage: DrivePage;
}

/** What the step of a use returns. */
export interface UsedPage {
  sessionId: string;
  durationMs: number;
  /** How often the model was asked. */
  turns: number;
  /** What the model says about it. */
  output: string;
  /** Why the instruction was not carried out. */
  error?: string;
  actions: DoneAction[];
  /** What the browser showed in the end, unless it was nothing that may be opened. */
  page?: { url: string; title: string; text: string };
}

export interface PageUser {
  use(task: PageTask, at: { key: string; turn: number }): Promise<UsedPage | Refused>;
  /** Turns of the model on pages: they count like those of the run itself. */
  readonly turns: number;
}

export interface PageUserParts extends BrowserParts {
  run: Pick<RunView, 'id' | 'teamId'>;
  request: Pick<AgentRun, 'urls' | 'prompt' | 'baseUrl'>;
  tools: RunTools;
  limits: AgentLimits;
  web: Pick<WebTools, 'isAllowed' | 'openThreatCheck'>;
  known: Pick<KnownUrls, 'find'>;
  model(signal: AbortSignal): ChosenModel;
  clock: Pick<Clock, 'now'>;
  /** For the webhook. */
  events(action: string, input: unknown, credits: number): RunEvent[];
}

const STEP = 'browser';
const MAX_USES = 5;
const MAX_TURNS = 20;
/** The model that is chosen for it may be asked for five minutes. */
const MAX_MS = 4 * 60_000;
const LEAST_MS = 10_000;
/** The run needs them to write its result. */
const LAST_TURNS = 2;
const MAX_TEXT = 100_000;
const MAX_OUTPUT = 8_000;
const MAX_ACTIONS = 60;
const MINUTE_MS = 60_000;
const PRICE = sessionCredits(MINUTE_MS, { isPrompted: true });

/** An address of a person does not name a site. */
const MAIL = /(?<![^\s<("',;:])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}.-]+/gu;

/** The sites that a caller names, whole: with all of their pages. */
export const namedSites = ({ urls, prompt }: Pick<AgentRun, 'urls' | 'prompt'>): string[] => [
  ...new Set(
    [...urls.map((url) => url.replace(/\/?\*$/, '')), ...urlsIn(prompt.replace(MAIL, ' '))].flatMap((text) => {
      const url = readUrl(text);
      return typeof url === 'string' ? [] : [url.origin];
    }),
  ),
];

export function createPageUser(parts: PageUserParts): PageUser {
  const { request, tools, limits, web, known } = parts;
  const isNamed = createAllowedUrls(namedSites(request));
  const mayOpen = (url: string): boolean => isNamed(url) && web.isAllowed(url);
  let uses = 0;
  let turns = 0;

  const check = (asked: string): { url: string } | Refused => {
    const url = known.find(asked);
    if (url === undefined) return { refused: NOTES.unknownUrl, code: 'UNKNOWN_URL' };
    if (!mayOpen(url)) return { refused: NOTES.otherSite, code: LIMIT_CODES.outside };
    uses += 1;
    return uses > MAX_USES ? NO_ROOM : { url };
  };
  const roomFor = (turn: number): Room | Refused => {
    const credits = limits.credits - tools.spent().credits;
    if (credits < PRICE)
      return { refused: `The limit of ${limits.credits} credits is reached.`, code: LIMIT_CODES.credits };
    const ms = Math.min(MAX_MS, limits.ms - tools.elapsedMs(), (credits / PRICE) * MINUTE_MS);
    const left = Math.min(MAX_TURNS, limits.steps - turn - turns - LAST_TURNS);
    return left < 1 || ms < LEAST_MS ? NO_ROOM : { ms, turns: left };
  };

  return {
    async use(task, { key, turn }) {
      const checked = check(task.url);
      // A refusal is a step all the same: the trace shows what the model was talked into.
      const step = { key, name: STEP, input: task, ifInterrupted: () => INTERRUPTED };
      const used = await tools.step<UsedPage | Refused>(step, async (signal) => {
        const room = 'refused' in checked ? checked : roomFor(turn);
        if ('refused' in room || 'refused' in checked) return { output: room as Refused };
        await tools.reserve(PRICE);
        const done = await useInSession(parts, { ...task, ...checked, room, mayOpen }, signal);
        return { ...done, reserved: PRICE, events: parts.events(STEP, task, done.credits ?? 0) };
      });
      if (!('refused' in used)) turns += used.turns;
      return used;
    },
    get turns() {
      return turns;
    },
  };
}

const NO_ROOM: Refused = { refused: NOTES.enoughUse, code: 'TOO_MANY_USES' };
const INTERRUPTED: Refused = { refused: NOTES.interrupted, code: 'INTERRUPTED' };

interface Room {
  ms: number;
  turns: number;
}

interface Use extends PageTask {
  room: Room;
  mayOpen(url: string): boolean;
}

/** Opens a session, and ends it whatever happens in it. */
async function useInSession(
  parts: PageUserParts,
  use: Use,
  signal: AbortSignal,
): Promise<StepDone<UsedPage | Refused>> {
  const { sessions, run, request, clock } = parts;
  const chosen = parts.model(signal);
  if ('without' in chosen) return { output: { refused: chosen.without, code: 'NEEDS_MODEL' } };
  const threatCheck = await parts.web.openThreatCheck();
  const refusal = await threatCheck?.check(new URL(use.url), signal).catch(unlessRefusal);
  if (refusal)
    return { output: { refused: refusal.message, code: refusal.code }, credits: threatCheck?.credits() ?? 0 };
  const times = { ttlMs: use.room.ms + MINUTE_MS, activityTtlMs: use.room.ms + MINUTE_MS };
  const wanted = { ...times, teamId: run.teamId, runId: run.id, streamWebView: true, baseUrl: request.baseUrl };
  let session: BrowserSession;
  try {
    session = await sessions.open(wanted, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ServiceError)) throw error;
    return { output: { refused: error.message, code: error.code } };
  }
  const began = clock.now();
  const spending = () => {
    const minutes = sessionCredits(clock.now() - began, { isPrompted: true });
    const scans = threatCheck?.credits() ?? 0;
    return { credits: minutes + chosen.spending.credits + scans, tokens: chosen.spending.tokens };
  };
  try {
    if (threatCheck) await keepToHosts(session, threatCheck, signal);
    const acted = await act(parts, use, { threatCheck, session, model: chosen.model, spending }, signal);
    return { output: { sessionId: session.id, durationMs: clock.now() - began, ...acted }, ...spending() };
  } finally {
    await sessions.end(session.id, run.teamId);
  }
}

/** The error if it refuses the URL. */
function unlessRefusal(error: unknown): ServiceError {
  if (isUrlRefusal(error)) return error;
  throw error;
}

type Acted = Omit<UsedPage, 'sessionId' | 'durationMs'>;

interface InSession {
  threatCheck: ThreatCheck | undefined;
  session: BrowserSession;
  model: Parameters<typeof actOnPage>[0]['model'];
  spending(): { credits: number; tokens: number };
}

async function act(
  { drivePage, clock, tools, limits }: PageUserParts,
  { url, instruction, room, mayOpen }: Use,
  { threatCheck, session, model, spending }: InSession,
  signal: AbortSignal,
): Promise<Acted> {
  const outer = AbortSignal.any([signal, session.ended]);
  const time = startDeadline(room.ms, () => outOfRoom('There was no more time for it.'), outer);
  let turns = 0;
  let performed = 0;
  const onTurn = () => {
    const [spent, now] = [tools.spent(), spending()];
    const isOver = spent.tokens + now.tokens >= limits.tokens || spent.credits + now.credits > limits.credits;
    if (isOver) throw outOfRoom('The run has reached a limit.');
    turns += 1;
    session.touch();
  };
  try {
    const isSafe = async (page: string) =>
      mayOpen(page) && (!threatCheck || threatCheck.isSafe(new URL(page), time.signal));
    const driving = { signal: time.signal, deadline: clock.now() + room.ms, mayOpen: threatCheck ? isSafe : mayOpen };
    const driver = await drivePage(session, driving);
    const counted: PageDriver = {
      ...driver,
      perform(action) {
        performed += 1;
        return driver.perform(action);
      },
    };
    try {
      const { problem, note } = await driver.perform({ type: 'open', url });
      if (problem !== undefined) return failed([problem, note].filter(Boolean).join(' '), turns);
      const task = { driver: counted, model, instruction, maxTurns: room.turns, onTurn, signal: time.signal };
      const { output, error, actions } = await actOnPage(task);
      const shown = { output: output.slice(0, MAX_OUTPUT), actions: actions.slice(0, MAX_ACTIONS), turns };
      return { ...shown, ...(error !== undefined && { error }), ...(await lastPage(driver, mayOpen, time.signal)) };
    } finally {
      driver.close();
    }
  } catch (error) {
    // A cancelled run pays for what it has used. If the service stops, nobody knows what was done on the page.
    if (signal.aborted && !(signal.reason instanceof RunCancelled)) throw signal.reason;
    return failed(`${sentenceOf(error)} Actions that were begun before: ${performed}.`, turns);
  } finally {
    time.done();
  }
}

const outOfRoom = (message: string) => new ServiceError('MODEL_TIMEOUT', { message });

const failed = (error: string, turns: number): Acted => ({ output: '', error, actions: [], turns });

/** Errors of the browser's client have many lines, of which the first says it. */
const sentenceOf = (error: unknown): string => {
  const isOurs = error instanceof ServiceError || error instanceof RunCancelled;
  if (isOurs) return error.message;
  return `The page could not be used: ${String(error instanceof Error ? error.message : error).split('\n', 1)[0]}.`;
};

async function lastPage(
  driver: PageDriver,
  mayOpen: (url: string) => boolean,
  signal: AbortSignal,
): Promise<Pick<UsedPage, 'page'>> {
  try {
    const { url, title, lines } = await driver.view();
    return mayOpen(url) ? { page: { url, title, text: lines.join('\n').slice(0, MAX_TEXT) } } : {};
  } catch {
    // What was done counts, also if the page cannot be read any more.
    signal.throwIfAborted();
    return {};
  }
}

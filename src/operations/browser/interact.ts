// Continues from a scrape: opens its page again in a browser session, one per scrape, and runs code or a prompt against it.

import type { InteractRequest, InteractResponse } from '../../contracts/browser/execute.ts';
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { ScrapeOptions } from '../../contracts/scrape/scrape-options.ts';
import type { Models } from '../../models/language-model.ts';
import { CallerHeaders } from '../../net/http/caller-headers.ts';
import type { ProxyClass } from '../../page/page.ts';
import { type FeaturesOf, storesNothing } from '../../policy/features.ts';
import type { ThreatCheck } from '../../policy/threats/threat-check.ts';
import type { Replay, ReplayedScrape } from '../../sessions/replay.ts';
import type { BrowserSession, NewSession, Sessions } from '../../sessions/session.ts';
import type { ScrapeStore, StoredScrape } from '../../store/ports/pages/scrape-store.ts';
import { startDeadline } from '../../util/abort.ts';
import { isUuid } from '../../util/ids.ts';
import type { Call } from '../call.ts';
import { type Caller, mayUse } from '../caller.ts';
import { billUnforeseen } from '../charged.ts';
import { givenUrl } from '../page/target-url.ts';
import { checkStoredPage } from '../scrape.ts';
import { type CheckStartDeps, checkStartUrls } from '../threats/check-start.ts';
import { openThreatCheck } from '../threats/open-threat-check.ts';
import type { PromptDeps, PromptedModel } from './act/run-prompt.ts';
import { type ExecuteDeps, findSession, runCode } from './execute.ts';
import { type GuardDeps, guardCall, openGuarded } from './guarded-session.ts';
import { type BilledSessionDeps, billSession } from './session-billing.ts';
import { endSession, openerOf } from './sessions.ts';

export interface InteractDeps
  extends ExecuteDeps,
    PromptDeps,
    Pick<BilledSessionDeps, 'keyWatch'>,
    Omit<CheckStartDeps, 'clock'>,
    Pick<GuardDeps, 'guardDocuments'> {
  scrapes: Pick<ScrapeStore, 'find'>;
  replay: Replay;
  interactions: Interactions;
  models: Models;
  featuresOf: FeaturesOf;
}

/** Maps scrapes to their sessions. */
export interface Interactions {
  /** Concurrent calls for the same scrape share one session. */
  open(key: string, open: () => Promise<BrowserSession>): Promise<BrowserSession>;
  sessionId(key: string): string | undefined;
}

interface Interaction {
  opening?: Promise<BrowserSession>;
  sessionId?: string;
}

// The code gets at least this long, however long the page took to load.
const LEAST_SECONDS = 1;

export async function interact(
  deps: InteractDeps,
  { caller, params: { id: scrapeId }, body: request, baseUrl }: Call<'interact'>,
): Promise<InteractResponse> {
  if (!isUuid(scrapeId)) throw new ServiceError('INVALID_JOB_ID');
  const { code, prompt, language, timeout } = request;
  const asked = code === undefined ? askedModel(deps, caller, timeout) : undefined;
  if (code !== undefined) deps.executor.checkAllowed(language);
  const began = deps.clock.now();
  const session = await sessionFor(deps, caller, scrapeId, request, baseUrl);
  const secondsLeft = Math.max(LEAST_SECONDS, timeout - (deps.clock.now() - began) / 1000);
  const work = async (): Promise<InteractResponse> => {
    if (asked) {
      const { runPrompt } = await import('./act/run-prompt.ts');
      return runPrompt(deps, caller, session, { ...asked, prompt: prompt!, seconds: secondsLeft, timeout });
    }
    const ran = await runCode(deps.executor, session, { code: code!, language, timeout: secondsLeft }, caller.signal);
    return { success: ran.exitCode === 0 && !ran.killed, sessionId: session.id, ...ran };
  };
  const hasOwnRules = request.threatProtection !== undefined && session.createdAt < began;
  return hasOwnRules ? underRules(deps, caller, session, request, work) : work();
}

/** A session that was open before has its own rules; those of the call are added while it runs. */
async function underRules<T>(
  deps: InteractDeps,
  caller: Caller,
  session: BrowserSession,
  request: InteractRequest,
  work: () => Promise<T>,
): Promise<T> {
  const threatCheck = await openThreatCheck(deps, caller, request);
  if (!threatCheck) return work();
  const release = await guardCall(deps, session, threatCheck, caller.signal);
  try {
    return await work();
  } finally {
    release();
    await billUnforeseen(deps, caller, { operation: 'interact', job: session.id }, threatCheck.credits());
  }
}

/** Looked for before a session is opened, which costs something. */
function askedModel({ models, featuresOf, clock }: InteractDeps, { team }: Caller, timeout: number): PromptedModel {
  const spending = { tokens: 0, credits: 0 };
  // A scrape under zero data retention cannot be continued, but the team may have been granted it since.
  const isPrivate = storesNothing(featuresOf, team);
  const asker = { team: team.id, isPrivate, spending, deadline: clock.now() + timeout * 1000 };
  const chosen = models.choose('agent', asker);
  if ('model' in chosen) return { model: chosen.model, spending };
  throw new ServiceError('NEEDS_MODEL', {
    message: `A \`prompt\` needs a language model: ${chosen.without}. Send \`code\` instead, or ask the operator for a model.`,
  });
}

export async function stopInteraction(deps: InteractDeps, { caller, params }: Call<'stopInteraction'>) {
  if (!isUuid(params.id)) throw new ServiceError('INVALID_JOB_ID');
  const id = deps.interactions.sessionId(scrapeKey(caller, params.id));
  if (id === undefined) throw new ServiceError('SESSION_NOT_FOUND');
  return endSession(deps, caller, id);
}

async function sessionFor(
  deps: InteractDeps,
  caller: Caller,
  scrapeId: string,
  request: InteractRequest,
  baseUrl: string,
): Promise<BrowserSession> {
  const { sessions, interactions } = deps;
  const key = scrapeKey(caller, scrapeId);
  const known = request.existingSessionId ?? interactions.sessionId(key);
  if (known !== undefined) return findSession(sessions, caller, known);
  return interactions.open(key, () => openReplayed(deps, caller, scrapeId, request, baseUrl));
}

async function openReplayed(
  deps: InteractDeps,
  caller: Caller,
  scrapeId: string,
  request: InteractRequest,
  baseUrl: string,
): Promise<BrowserSession> {
  const { team, signal } = caller;
  const scrape = await deps.scrapes.find(scrapeId, team.id, deps.clock.now());
  if (!scrape || !mayUse(caller, (scrape.options as { madeBy?: string }).madeBy))
    throw new ServiceError('JOB_NOT_FOUND');
  checkStoredPage(caller, scrape);
  const { href: url } = givenUrl(scrape.url);
  const options = pageOptions(scrape);
  const { threatProtection = options.threatProtection } = request;
  const checked = { ...options, threatProtection };
  await checkStartUrls(deps, caller, checked, { operation: 'interact', urls: [url] });
  const threatCheck = await openThreatCheck(deps, caller, checked);
  const times = { ttlMs: request.ttl * 1000, activityTtlMs: request.activityTtl * 1000 };
  const session = {
    ...{ ...openerOf(caller), ...times, streamWebView: true, baseUrl, profile: options.profile },
    scrape: scrapeKey(caller, scrapeId),
  };
  const network = { proxyClass: proxyClassOf(scrape, options), country: options.location.country };
  // A crawl sends headers to the origin of its start URL only, so its pages are repeated in the same way.
  const headers = CallerHeaders.for(new URL(scrape.startUrl ?? url), options.headers);
  const replayed = { url, headers, options, deadline: deps.clock.now() + request.timeout * 1000 };
  const open = (verifyTls: boolean) =>
    openAndReplay(
      deps,
      { ...session, network: { ...network, verifyTls } },
      { ...replayed, isVerifying: verifyTls },
      threatCheck,
      signal,
    );
  const opened = await open(true).catch((error: unknown) => {
    // As in a scrape, invalid certificates are accepted only where there is one.
    if (options.skipTlsVerification && isInvalidCertificate(error)) return open(false);
    throw error;
  });
  const target = storesNothing(deps.featuresOf, team) ? {} : { target: scrape.url };
  return billSession(deps, opened, caller, { operation: 'interact', ...target, threatCheck });
}

async function openAndReplay(
  deps: InteractDeps,
  wanted: NewSession,
  scrape: ReplayedScrape,
  threatCheck: ThreatCheck | undefined,
  signal: AbortSignal,
): Promise<BrowserSession> {
  const { sessions, replay, clock } = deps;
  const { session, refusal } = await openGuarded(deps, wanted, threatCheck, signal);
  const msLeft = Math.max(0, scrape.deadline - clock.now());
  const time = startDeadline(msLeft, () => new ServiceError('SCRAPE_TIMEOUT'), signal);
  try {
    await replay(session, scrape, time.signal);
    return session;
  } catch (error) {
    await sessions.end(session.id, wanted.teamId);
    if (signal.aborted) throw error;
    const refused = refusal();
    if (refused) throw refused;
    throw notRepeated(error instanceof ServiceError ? error.message : 'The page could not be opened.', error);
  } finally {
    time.done();
  }
}

const notRepeated = (reason: string, cause?: unknown): ServiceError =>
  new ServiceError('REPLAY_UNAVAILABLE', {
    message: `The scrape could not be repeated in a browser session: ${reason}`,
    cause,
  });

const isInvalidCertificate = (error: unknown): boolean =>
  error instanceof ServiceError && error.cause instanceof ServiceError && error.cause.code === 'SCRAPE_SSL_ERROR';

/** A page of a crawl has the crawl's options, where those for pages are a part. */
function pageOptions({ metadata, options }: StoredScrape): ScrapeOptions {
  if (metadata.sourceFile !== undefined) throw notRepeated('It read an uploaded file, not a page.');
  const { scrapeOptions = options } = options as { scrapeOptions?: unknown };
  if ((scrapeOptions as Partial<ScrapeOptions>).actions) return scrapeOptions as ScrapeOptions;
  throw notRepeated('Its options were stored with another secret. Restore the file `secret` in the data folder.');
}

/** Where the proxy was chosen automatically, the one that helped. */
const proxyClassOf = ({ metadata }: StoredScrape, { proxy }: ScrapeOptions): ProxyClass =>
  proxy === 'enhanced' || (proxy === 'auto' && metadata.proxyUsed === 'stealth') ? 'enhanced' : 'basic';

/** Kept in memory, like the sessions themselves. An entry is forgotten with its session. */
export function createInteractions(sessions: Sessions): Interactions {
  const byScrape = new Map<string, Interaction>();
  const isRemembered = ({ opening, sessionId }: Interaction, teamId: string) =>
    opening !== undefined ||
    (sessionId !== undefined &&
      (sessions.find(sessionId, teamId) !== undefined || sessions.findEnded(sessionId, teamId) !== undefined));
  const forgetOld = () => {
    for (const [key, interaction] of byScrape) {
      if (!isRemembered(interaction, teamOf(key))) byScrape.delete(key);
    }
  };
  return {
    async open(key, open) {
      const begun = byScrape.get(key)?.opening;
      if (begun) return begun;
      forgetOld();
      const opening = open();
      byScrape.set(key, { opening });
      try {
        const session = await opening;
        byScrape.set(key, { sessionId: session.id });
        return session;
      } catch (error) {
        byScrape.delete(key);
        throw error;
      }
    },
    sessionId: (key) => byScrape.get(key)?.sessionId,
  };
}

export const scrapeKey = ({ team, isKeyless, key }: Caller, scrapeId: string): string =>
  [team.id, scrapeId.toLowerCase(), ...(isKeyless ? [key] : [])].join(' ');
const teamOf = (key: string): string => key.slice(0, key.indexOf(' '));

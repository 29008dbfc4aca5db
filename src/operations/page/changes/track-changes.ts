// Change tracking: compares a page with its last version, and prepares what the next look is compared with. Nothing is
// written here: the look becomes part of the history in the transaction that stores the scrape or the page of a job.
import { ServiceError } from '../../../contracts/errors/errors.ts';
import type { ChangeStatus, PageChanges } from '../../../contracts/formats/page-changes.ts';
import { redactionOptions } from '../../../contracts/scrape/redaction.ts';
import type { MadeFormat } from '../../../page/understanding.ts';
import type { Asker } from '../../../runtime/gate/gate.ts';
import type { PageHistory, PageLook } from '../../../store/ports/pages/page-history.ts';
import type { Understander } from '../../../understand/understander.ts';
import { normaliseUrl } from '../../../urls/url.ts';
import { iso } from '../../../util/clock.ts';
import type { PageWithSource } from '../page.ts';
import type { PageOptions, TrackedCrawl } from '../page-request.ts';
import { compareData, type JsonMode } from './changed-data.ts';
import { type ChangeTracking, historyKey, shapingOptions } from './history-keys.ts';
import { readVersion, type StoredVersion, writeVersion } from './stored-version.ts';

export interface TrackDeps {
  understander: Understander;
  history: Pick<PageHistory, 'find' | 'known'>;
}

export interface TrackedPage {
  url: URL;
  teamId: string;
  options: PageOptions;
  format: ChangeTracking;
  asker: Asker;
  crawl?: TrackedCrawl;
}

export interface TrackedChanges {
  made: MadeFormat;
  look?: PageLook;
}

const FAILED = 'Comparing failed, please try again later.';

export async function trackChanges(
  deps: TrackDeps,
  page: TrackedPage,
  read: PageWithSource,
  signal: AbortSignal,
): Promise<TrackedChanges> {
  const state = pageState(read);
  if ('problem' in state) return { made: { content: {}, warnings: [state.problem] } };
  try {
    const look = await lookAt(deps, page, read);
    return state.isGone ? removed(look) : await compare(deps, page, read, look, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ServiceError)) throw error;
    const isStoreFault = error.code === 'STORAGE_UNAVAILABLE' || error.code === 'STORAGE_DAMAGED';
    const warning = isStoreFault ? FAILED : `\`changeTracking\` is missing. ${error.message}`;
    return { made: { content: {}, warnings: [warning] } };
  }
}

/** This look and the one before. */
interface Looks {
  now: Omit<PageLook, 'version'>;
  earlier?: { at: number; version: StoredVersion };
  visibility: PageChanges['visibility'];
}

async function lookAt({ history }: TrackDeps, page: TrackedPage, { header }: PageWithSource): Promise<Looks> {
  const { url, teamId, options, crawl } = page;
  const key = historyKey(teamId, url, options);
  const seen = await history.find(key);
  const version = seen && readVersion(seen.version);
  return {
    now: {
      ...{ key, url: normaliseUrl(url), at: header.fetchedAt, tag: page.format.tag },
      isRedacted: redactionOptions(options.redactPII) !== undefined,
      ...(crawl && { crawl: crawl.key }),
    },
    ...(version && { earlier: { at: seen.at, version } }),
    visibility: crawl?.isUnlinked ? 'hidden' : 'visible',
  };
}

const changesOf = ({ earlier, visibility }: Looks, changeStatus: ChangeStatus): PageChanges => ({
  previousScrapeAt: earlier ? iso(earlier.at) : null,
  changeStatus,
  visibility,
});

const removed = (looks: Looks): TrackedChanges => ({
  made: { content: { changeTracking: changesOf(looks, 'removed') }, warnings: [] },
  look: looks.now,
});

async function compare(
  { understander }: TrackDeps,
  { options, format, asker }: TrackedPage,
  { source, header }: PageWithSource,
  looks: Looks,
  signal: AbortSignal,
): Promise<TrackedChanges> {
  const text = source!;
  const earlier = looks.earlier?.version;
  const spending = { tokens: 0, credits: 0 };
  const asked = { asker, isPrivate: false, spending };
  const tools = understander.tools(asked, signal);
  const before = earlier && { markdown: earlier.markdown, hash: earlier.hash, moving: earlier.moving };
  const { toKeep, isSame, diff, isCut, restless } = await tools.work.compareTexts(before, text.markdown, {
    wantsDiff: wantsDiff(format),
    // A schema says itself what counts.
    ...(!format.schema && { restless: { goal: format.prompt } }),
  });
  const status = !earlier ? 'new' : isSame ? 'same' : 'changed';
  const extract: JsonMode['extract'] = (from, json) => understander.make(from, [json], asked, signal);
  const compared = { source: text, earlier, status, diff: diff?.text } as const;
  const { data, json, warnings } = await compareData({ format, tools, extract }, compared);
  const version: StoredVersion = {
    ...toKeep,
    options: shapingOptions(options),
    isRendered: header.engine === 'browser',
    ...(data && { json: data }),
  };
  const changes: PageChanges = {
    ...changesOf(looks, status),
    ...(diff && format.modes.includes('git-diff') && { diff }),
    ...(json && { json }),
    ...(restless && { restless: restless.lines }),
  };
  const notes = [
    ...warnings,
    ...(earlier && status === 'changed' ? differences(earlier, version) : []),
    ...(isCut && changes.diff ? [CUT] : []),
  ];
  return {
    made: { content: { changeTracking: changes }, warnings: notes, credits: Math.ceil(spending.credits) },
    look: { ...looks.now, version: writeVersion(version), isSame },
  };
}

/** A model that has no schema is told about the changes by the diff. */
const wantsDiff = ({ modes, schema }: ChangeTracking): boolean =>
  modes.includes('git-diff') || (modes.includes('json') && !schema);

const CUT = 'The page has changed too much for the whole diff: it shows the first changes.';

/** Why the text may differ although the page has not changed. */
function differences(before: StoredVersion, after: StoredVersion): string[] {
  const names = Object.keys(after.options).filter((name) => before.options[name] !== after.options[name]);
  const options = names.map((name) => `\`${name}\``).join(', ');
  return [
    ...(names.length > 0
      ? [`The last look at the page had other options (${options}), which change its text, too.`]
      : []),
    ...(before.isRendered !== after.isRendered
      ? [`The page was rendered in a browser ${after.isRendered ? 'now' : 'the last time'}, but not both times.`]
      : []),
  ];
}

const GONE = new Set([404, 410]);

/**
 * Whether what was read is a version of the page, or says that the page is gone, or neither. `problem`: why the page is not compared, as a
 * sentence for the caller.
 */
function pageState({ header, outcome, source }: PageWithSource): { isGone: boolean } | { problem: string } {
  const { verdict, document } = outcome;
  if (GONE.has(header.status) || verdict.kind === 'soft-404') return { isGone: true };
  if (header.status >= 400) return notCompared(`the site answered with the status ${header.status}`);
  if (verdict.kind !== 'content') return notCompared(`what the site sent is not the page (${verdict.kind})`);
  if (document?.isPartial) return notCompared('the file could only be read in part');
  if (!source || source.markdown.trim() === '') return notCompared('the page has no text');
  return { isGone: false };
}

const notCompared = (reason: string) => ({
  problem: `\`changeTracking\` is missing, because ${reason}. The page was not compared, and the next look is compared with the last one before.`,
});

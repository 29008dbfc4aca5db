// The feed of a monitor: its latest checks that have something to tell. The link alone opens it, so that feed readers can.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { type ChangeFeedEntry, writeAtom } from '../../monitor/feed/atom.ts';
import { countText, statusWord, type ToldPage } from '../../monitor/mail/check-report.ts';
import { escapeMarkup, manyLines, oneLine, webUrl, withoutLinks } from '../../monitor/mail/safe-text.ts';
import type { MonitorStore, StoredMonitor } from '../../store/ports/runs/monitor-store.ts';
import type { RunStore, RunView } from '../../store/ports/runs/run-store.ts';
import type { Clock } from '../../util/clock.ts';
import { hashOf } from '../../util/hash.ts';
import { isUuid } from '../../util/ids.ts';
import type { OpenAnswer, OpenCall } from '../call.ts';
import type { MailTokens } from './mail/mail-tokens.ts';
import { readReport } from './mail/notify-check.ts';

interface FeedDeps {
  monitors: Pick<MonitorStore, 'find' | 'pages'>;
  runs: Pick<RunStore, 'list'>;
  tokens: MailTokens;
  clock: Pick<Clock, 'now'>;
}

interface FeedAnswer {
  etag: string;
  /** Undefined if the reader has this version already. */
  xml?: string;
}

const MAX_CHECKS = 100;
const MAX_ENTRIES = 20;
const MAX_PAGES = 20;
const MAX_TITLE = 150;
const MAX_DIFF = 2_000;
/** Readers ask often, and most find nothing new. */
const CACHE = 'private, max-age=300';
const ENDED = new Set(['completed', 'partial', 'failed']);

export const feedUrl = (
  tokens: MailTokens,
  { id, teamId, definition }: Pick<StoredMonitor, 'id' | 'teamId' | 'definition'>,
): string => `${definition.baseUrl}/v2/monitor/${id}/feed?token=${tokens.feed(teamId, id)}`;

export async function monitorFeed(
  { mail, runs }: { mail: Omit<FeedDeps, 'runs'>; runs: FeedDeps['runs'] },
  { params, query, baseUrl, ifNoneMatch: knownEtag }: OpenCall<'monitorFeed'>,
): Promise<OpenAnswer> {
  const asked = { id: params.id, token: query.token ?? '', baseUrl, knownEtag };
  const { etag, xml } = await readFeed({ ...mail, runs }, asked);
  const headers = { etag, 'cache-control': CACHE, 'x-content-type-options': 'nosniff' };
  return xml === undefined ? { status: 304, headers, body: '' } : { status: 200, headers, body: xml };
}

/** A wrong link and a deleted monitor are answered alike, so that guessing reveals nothing. */
export async function readFeed(
  deps: FeedDeps,
  { id, token, baseUrl, knownEtag }: { id: string; token: string; baseUrl: string; knownEtag?: string },
): Promise<FeedAnswer> {
  const now = deps.clock.now();
  const teamId = isUuid(id) ? deps.tokens.readFeed(token, id) : undefined;
  const monitor = teamId && (await deps.monitors.find(id, teamId, now));
  if (!monitor) throw new ServiceError('MONITOR_NOT_FOUND');
  const selfUrl = feedUrl(deps.tokens, { ...monitor, definition: { ...monitor.definition, baseUrl } });
  const listed = await deps.runs.list(monitor.teamId, { kind: 'check', group: id, limit: MAX_CHECKS }, now);
  const ended = listed.filter(({ status }) => ENDED.has(status));
  const etag = `"${hashOf(
    selfUrl,
    monitor.definition.name,
    ended.map((check) => check.id),
  ).slice(0, 32)}"`;
  if (knownEtag?.split(',').some((each) => each.trim().replace(/^W\//, '') === etag)) return { etag };
  const entries: ChangeFeedEntry[] = [];
  for (const check of ended) {
    if (entries.length === MAX_ENTRIES) break;
    const entry = await entryOf(deps, check);
    if (entry) entries.push(entry);
  }
  const xml = writeAtom({
    id: `urn:uuid:${id}`,
    title: oneLine(monitor.definition.name, MAX_TITLE),
    selfUrl,
    updatedAt: entries[0]?.updatedAt ?? monitor.createdAt,
    entries,
  });
  return { etag, xml };
}

async function entryOf({ monitors }: FeedDeps, check: RunView): Promise<ChangeFeedEntry | undefined> {
  const { counts, pages } = await readReport(monitors, check.id, MAX_PAGES);
  if (pages.length === 0 && check.status !== 'failed') return undefined;
  const only = pages.length === 1 ? pages[0]! : undefined;
  const name = only && oneLine(only.title ?? only.url, MAX_TITLE);
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const more = total > pages.length ? `<p>And ${total - pages.length} more.</p>` : '';
  const failure = check.error ? `<p>${escapeMarkup(oneLine(check.error, MAX_DIFF))}</p>` : '';
  const link = only && webUrl(only.url);
  return {
    id: `urn:uuid:${check.id}`,
    title: name ? `${statusWord(only.status)}: ${name}` : countText(counts) || 'The check failed',
    updatedAt: check.finishedAt ?? check.createdAt,
    html: `${failure}${pages.map(pageHtml).join('')}${more}`,
    ...(link && { link }),
  };
}

function pageHtml({ url, status, title, reason, diff }: ToldPage): string {
  const link = webUrl(url);
  const label = escapeMarkup(oneLine(title ?? withoutLinks(url), MAX_TITLE));
  const head = link ? `<a href="${escapeMarkup(link)}">${label}</a>` : label;
  const why = reason ? `<br/>${escapeMarkup(oneLine(reason, MAX_DIFF))}` : '';
  const lines = diff ? `<pre>${escapeMarkup(manyLines(diff, MAX_DIFF))}</pre>` : '';
  return `<p><b>${statusWord(status)}</b> ${head}${why}</p>${lines}`;
}

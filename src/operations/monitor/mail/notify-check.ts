// Queues the e-mails about a check that has something to tell. Doing so twice changes nothing.
import type { CheckStatus } from '../../../contracts/monitor/monitor-check.ts';
import { writeCheckMail } from '../../../monitor/mail/check-mail.ts';
import { TOLD_STATUSES, type ToldPage, type ToldStatus, tellPage } from '../../../monitor/mail/check-report.ts';
import type { MonitorStore } from '../../../store/ports/runs/monitor-store.ts';
import { uuidv7 } from '../../../util/ids.ts';
import { linkOf, type MailDeps, type MailedMonitor, subscribe, unsubscribeHeaders } from './subscriptions.ts';

export interface EndedCheck {
  id: string;
  status: CheckStatus;
  /** Why it failed as a whole. */
  error?: string;
}

/** What a check shows about its e-mails, as `notificationStatus.email`. */
export interface MailStatus {
  status: 'queued' | 'nothing_to_tell' | 'no_recipients' | 'not_configured';
  /** Mails that were queued. */
  queued?: number;
  /** Recipients who have not confirmed, or have unsubscribed. */
  skipped?: number;
  message?: string;
}

export interface NotificationStatus {
  email: MailStatus;
}

/** Pages that a mail lists. The rest is counted. */
const LISTED_PAGES = 30;
const BATCH = 100;
/** Checks with more pages to tell of are counted no further. */
const COUNTED_PAGES = 1_000;

const NOT_CONFIGURED =
  'This server sends no e-mail: its operator has not set TRAWL_SMTP_URL. Use a webhook or the feed instead.';

/** What a caller should know who wants e-mails. */
export const mailWarning = (
  { sending }: Pick<MailDeps, 'sending'>,
  { notification }: MailedMonitor['definition'],
): string | undefined => (notification?.email?.enabled && !sending ? NOT_CONFIGURED : undefined);

/** Undefined if no e-mails are wanted. Call it in a step, before the check ends. */
export async function notifyCheck(
  deps: MailDeps,
  monitor: MailedMonitor,
  check: EndedCheck,
): Promise<NotificationStatus | undefined> {
  const { enabled = false, includeDiffs = false } = monitor.definition.notification?.email ?? {};
  if (!enabled) return undefined;
  if (!deps.sending) return { email: { status: 'not_configured', message: NOT_CONFIGURED } };
  const report = await readReport(deps.monitors, check.id);
  if (report.pages.length === 0 && check.status !== 'failed') return { email: { status: 'nothing_to_tell' } };
  const recipients = await subscribe(deps, monitor);
  const confirmed = recipients.filter(({ status }) => status === 'confirmed');
  const now = deps.clock.now();
  const mails = confirmed.map(({ number }) => {
    const unsubscribeUrl = linkOf(deps, monitor, 'unsubscribe', number);
    const { error } = check;
    const written = { monitorName: monitor.definition.name, ...report, error, includeDiffs, unsubscribeUrl };
    return {
      key: `check ${check.id} ${number}`,
      messageId: uuidv7(now),
      subscription: number,
      content: { ...writeCheckMail(written), headers: unsubscribeHeaders(unsubscribeUrl) },
    };
  });
  const queued = await deps.mails.queue(mails, now);
  if (queued > 0) deps.sending.wake();
  return { email: { status: queued > 0 ? 'queued' : 'no_recipients', queued, skipped: recipients.length - queued } };
}

export interface CheckReport {
  counts: Record<ToldStatus, number>;
  /** The first of them. */
  pages: ToldPage[];
}

export async function readReport(
  monitors: Pick<MonitorStore, 'pages'>,
  checkId: string,
  listed = LISTED_PAGES,
): Promise<CheckReport> {
  const counts = { changed: 0, new: 0, removed: 0, error: 0 };
  const pages: ToldPage[] = [];
  for (const status of TOLD_STATUSES) {
    for (let skip = 0; skip < COUNTED_PAGES; skip += BATCH) {
      const found = await monitors.pages(checkId, { status, limit: BATCH, skip });
      const told = found.flatMap((page) => tellPage(page) ?? []);
      counts[status] += told.length;
      pages.push(...told.slice(0, Math.max(0, listed - pages.length)));
      if (found.length < BATCH) break;
    }
  }
  return { counts, pages };
}

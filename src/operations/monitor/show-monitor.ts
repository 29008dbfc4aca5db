// A monitor as answers show it.
import { isDeepStrictEqual } from 'node:util';
import type { MonitorView, RecipientSubscription } from '../../contracts/monitor/monitor.ts';
import { type MonitorTarget, optionDefaults } from '../../contracts/monitor/monitor-targets.ts';
import type { ScrapeOptions } from '../../contracts/scrape/scrape-options.ts';
import type { StoredMonitor } from '../../store/ports/runs/monitor-store.ts';
import { iso } from '../../util/clock.ts';
import { hideActions, hideHeaders } from '../hidden-values.ts';
import { creditsPerMonth } from './estimate-credits.ts';

interface Shown {
  feedUrl: string;
  subscriptions: RecipientSubscription[];
}

export function showMonitor(monitor: StoredMonitor, { feedUrl, subscriptions }: Shown): MonitorView {
  const { id, status, definition, nextRunAt, lastRunAt, currentCheckId, lastCheckSummary } = monitor;
  const { name, schedule, targets, webhook, notification, retentionDays, goal, judgeEnabled } = definition;
  return {
    id,
    name,
    status,
    schedule,
    nextRunAt: nextRunAt === undefined ? null : iso(nextRunAt),
    lastRunAt: lastRunAt === undefined ? null : iso(lastRunAt),
    currentCheckId: currentCheckId ?? null,
    targets: targets.map(showTarget),
    webhook: webhook ? { ...webhook, headers: hideHeaders(webhook.headers) } : null,
    notification: notification ?? null,
    emailRecipientSubscriptions: subscriptions,
    feedUrl,
    retentionDays,
    estimatedCreditsPerMonth: creditsPerMonth(definition, lastCheckSummary),
    lastCheckSummary: lastCheckSummary ?? null,
    goal: goal ?? null,
    judgeEnabled,
    createdAt: iso(monitor.createdAt),
    updatedAt: iso(monitor.updatedAt),
  };
}

export function showTarget(target: MonitorTarget): Record<string, unknown> {
  if (target.type === 'search') return { ...target };
  const { scrapeOptions } = target;
  const defaults = optionDefaults();
  const shown = { ...target, scrapeOptions: showOptions(scrapeOptions, defaults.scrapeOptions) };
  if (target.type === 'scrape') return shown;
  return { ...shown, crawlOptions: withoutDefaults(target.crawlOptions, defaults.crawlOptions) };
}

/** Everyone with a key of the team sees them, so values of headers and what actions do stay hidden. */
export function showOptions(options: ScrapeOptions, defaults: ScrapeOptions): Record<string, unknown> {
  const { headers, actions, ...given } = withoutDefaults(options, defaults);
  return {
    ...given,
    formats: options.formats,
    ...(headers !== undefined && { headers: hideHeaders(headers) }),
    ...(actions !== undefined && { actions: hideActions(actions) }),
  };
}

const withoutDefaults = <Options extends object>(options: Options, defaults: Options): Partial<Options> =>
  Object.fromEntries(
    Object.entries(options).filter(([name, value]) => !isDeepStrictEqual(value, defaults[name as keyof Options])),
  ) as Partial<Options>;

// Shared by the tests of webhook delivery: a store, and jobs with webhooks.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../../../../src/contracts/webhooks/webhook.ts';
import type { Store } from '../../../../src/store/ports/store.ts';
import { START } from '../../../conformance/samples.ts';
import { type Received, readReceived } from '../../../support/web/hooks.ts';
import type { Web } from '../../../support/web.ts';
import { openTemporaryStore } from '../../store/temporary-folder.ts';

export interface WebhookJob {
  id: string;
  url: string;
  headers?: Record<string, string>;
  events?: WebhookEvent[];
  /** All of them fail, so that their events carry their number. */
  pages?: number;
  now?: number;
}

/** Runs a batch from start to end. */
export async function runJob(store: Store, { id, pages = 0, now = START, ...webhook }: WebhookJob): Promise<void> {
  const teamId = (await store.teams.ensureTeam('team', now)).id;
  const target = { headers: {}, metadata: {}, events: [...WEBHOOK_EVENTS], ...webhook };
  const tasks = Array.from({ length: pages }, (_, number) => ({
    kind: 'page' as const,
    url: `http://site.test/${number}`,
    key: `${number}`,
    host: 'site.test',
    depth: 0,
    steps: 0,
    pattern: '',
    chained: false,
  }));
  const added = await store.jobs.add({
    id,
    teamId,
    kind: 'batch_scrape',
    url: '',
    options: {},
    webhook: target,
    limit: pages,
    zeroDataRetention: false,
    createdAt: now,
    maxUnfinished: 100,
    tasks,
  });
  assert.equal(added, 'added');
  const claim = { owner: 'test', jobId: id, slots: pages, hostSlots: {}, otherHostSlots: pages };
  const claimed = pages === 0 ? [] : (await store.queue.claim({ ...claim, now, leaseUntil: now + 60_000 })).tasks;
  for (const { id: taskId, key } of claimed) {
    const failed = { state: 'failed', scrapeId: `${id}-${key}`, code: 'SCRAPE_SITE_ERROR', credits: 0 } as const;
    await store.queue.finish('test', [{ id: taskId, outcome: { ...failed, message: `page ${key}` } }], now);
  }
}

/** A store, and a way to close and reopen it. */
export async function openWebhookStore(t: TestContext): Promise<{ store: Store; reopen(): Promise<Store> }> {
  const { dataDir, store } = await openTemporaryStore(t);
  const reopen = async () => {
    await store.close();
    return (await openTemporaryStore(t, { dataDir })).store;
  };
  return { store, reopen };
}

/** The events received under a name. Page events are represented by their error text. */
export async function eventsAt(web: Web, name: string): Promise<string[]> {
  return (await readReceived(web, name)).map((call) => {
    const { type, error } = payloadOf(call);
    return error ?? type.replace('batch_scrape.', '');
  });
}

export const payloadOf = ({ body }: Received): { type: string; error?: string; webhookId: string } => JSON.parse(body);

/** Waits for a condition that is certain to become true. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const patience = AbortSignal.timeout(60_000);
  while (!(await condition())) await delay(2, undefined, { signal: patience });
}

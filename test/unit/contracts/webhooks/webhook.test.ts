// Which events a webhook gets: each kind of job has its own, and callers may write them in full or by their last parts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  AGENT_EVENTS,
  agentWebhook,
  EXTRACT_EVENTS,
  extractWebhook,
  MONITOR_EVENTS,
  monitorWebhook,
  WEBHOOK_EVENTS,
  webhook,
} from '../../../../src/contracts/webhooks/webhook.ts';

const url = 'https://hook.test/';
const KINDS = [
  ['crawl', webhook, WEBHOOK_EVENTS],
  ['agent', agentWebhook, AGENT_EVENTS],
  ['extract', extractWebhook, EXTRACT_EVENTS],
  ['monitor', monitorWebhook, MONITOR_EVENTS],
] as const;

for (const [kind, schema, all] of KINDS) {
  test(`${kind}: without a list of events, all are sent`, () => {
    const plain = { url, headers: {}, metadata: {}, events: [...all] };
    assert.deepEqual(schema.parse(url), plain);
    assert.deepEqual(schema.parse({ url }), plain);
    assert.deepEqual(schema.parse({ url, events: [] }).events, []);
  });

  test(`${kind}: an unknown event is refused`, () => {
    for (const name of ['', 'nothing', '.', `${all[0]}.`, 'constructor', 'rawled']) {
      const { error } = schema.safeParse({ url, events: [all[0], name] });
      assert.match(JSON.stringify(error?.issues ?? 'accepted'), /An event must be one of/, name);
    }
  });
}

const NAMES: [schema: (typeof KINDS)[number][1], names: string[], events: string[]][] = [
  [webhook, ['page', 'crawl.completed', 'batch_scrape.started'], ['started', 'page', 'completed']],
  [agentWebhook, ['action', 'agent.cancelled'], ['agent.action', 'agent.cancelled']],
  [extractWebhook, ['completed', 'extract.failed'], ['extract.completed', 'extract.failed']],
  [monitorWebhook, ['page'], ['monitor.page']],
  [monitorWebhook, ['check.completed'], ['monitor.check.completed']],
  [monitorWebhook, ['completed', 'monitor.check.completed'], ['monitor.check.completed']],
  // The types of the public clients allow it, and no such event is sent.
  [extractWebhook, ['page'], []],
];

for (const [schema, names, events] of NAMES) {
  test(`${names.join(', ')} means ${events.join(', ') || 'nothing'}`, () => {
    assert.deepEqual(schema.parse({ url, events: names }).events, events);
  });
}

test('an event of another kind is refused', () => {
  assert.ok(!agentWebhook.safeParse({ url, events: ['page'] }).success);
  assert.ok(!webhook.safeParse({ url, events: ['action'] }).success);
  assert.ok(!monitorWebhook.safeParse({ url, events: ['agent.completed'] }).success);
});

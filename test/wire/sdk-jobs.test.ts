// Jobs and monitors with the public SDK as its users call it, with only the base URL changed.
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { Firecrawl as Newest } from 'firecrawl';
import { fullTest, test } from '../support/full-run.ts';
import { until } from '../support/jobs.ts';
import { useService } from '../support/use-service.ts';
import { describeSdkJobs } from '../support/wire/sdk-jobs.ts';

const scene = useService();

describeSdkJobs(scene, '4.42.0', Newest);

describe('monitors with firecrawl 4.42.0', () => {
  const client = () => new Newest({ apiKey: scene.service.key, apiUrl: scene.service.url });
  const watched = () => scene.web.url('fault.test', '/flaky/500/0?monitor');
  const steady = () => scene.web.url('load.test', '/article/1');

  async function check(id: string) {
    const started = await client().runMonitor(id);
    assert.equal(started.status, 'queued');
    return until(
      // The SDK follows `next` by itself.
      () => client().getMonitorCheck(id, started.id, { limit: 1 }),
      ({ status }) => !['queued', 'running'].includes(status),
    );
  }

  fullTest('two checks of a page that changes', async () => {
    const { id, ...monitor } = await client().createMonitor({
      name: 'Prices',
      schedule: { cron: '0 9 * * 1-5', timezone: 'Europe/Berlin' },
      targets: [{ type: 'scrape', urls: [watched(), steady()] }],
      goal: 'The number of visits',
      retentionDays: 7,
    });
    assert.deepEqual(monitor.schedule, { cron: '0 9 * * 1-5', timezone: 'Europe/Berlin' });
    const statuses = ({ pages }: Awaited<ReturnType<typeof check>>) =>
      Object.fromEntries(pages.map(({ url, status }) => [url, status]));
    assert.deepEqual(statuses(await check(id)), { [watched()]: 'new', [steady()]: 'new' });
    const second = await check(id);
    assert.deepEqual(statuses(second), { [watched()]: 'changed', [steady()]: 'same' });
    assert.match(second.pages.find(({ url }) => url === watched())!.diff!.text!, /-Visit 1\.\n\+Visit 2\./);
    assert.equal((await client().listMonitorChecks(id, { limit: 1 }))[0]?.id, second.id);
    const { currentCheckId, lastCheckSummary } = await client().getMonitor(id);
    assert.deepEqual([currentCheckId, lastCheckSummary?.changed], [null, 1]);
    assert.equal(await client().deleteMonitor(id), true);
    await assert.rejects(client().getMonitor(id), /Monitor not found/);
  });

  test('update changes, pauses and clears', async () => {
    const webhook = { url: scene.web.url('load.test', '/hook'), events: ['monitor.page'] };
    const request = { name: 'Site', schedule: { text: 'daily at 9:00' }, webhook, goal: 'News' };
    const { id } = await client().createMonitor({
      ...request,
      targets: [
        { type: 'crawl', url: scene.web.url('docs.test'), crawlOptions: { limit: 3 } },
        { type: 'search', queries: ['news'], searchWindow: '7d' },
      ],
    });
    assert.deepEqual(
      (await client().listMonitors({ limit: 1 })).map((each) => each.id),
      [id],
    );
    const cleared = await client().updateMonitor(id, { webhook: null, status: 'paused' });
    assert.deepEqual([cleared.webhook, cleared.status, cleared.goal], [null, 'paused', 'News']);
    await assert.rejects(client().runMonitor(id), /Monitor is paused\. Resume it before running a check\./);
    await assert.rejects(client().updateMonitor(id, { goal: null }), /A search target requires a non-empty goal/);
    await assert.rejects(client().updateMonitor(id, { schedule: { cron: '* * * * *' } }), /every 5 minutes/);
    await assert.rejects(client().updateMonitor(id, {}), /at least one field/);
  });
});

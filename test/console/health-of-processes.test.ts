// The page Health of an installation with two processes: it lists them, and shows the figures of either.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { hasPostgres, openDatabase } from '../conformance/open-postgres.ts';
import { EXECUTABLE, NEEDS_BROWSER } from '../support/browser/browser.ts';
import { until } from '../support/jobs.ts';
import { type RunningService, startService } from '../support/service.ts';
import { useConsoleOfOperator } from './support/use-console.ts';

const skip = NEEDS_BROWSER.skip || (!hasPostgres && 'It runs with npm run test:cluster');

describe('the page Health with two processes', { skip }, () => {
  const settings: Record<string, string> = {
    TRAWL_AUTH: 'off',
    TRAWL_SECRET: 'a secret of the tests that is long enough',
    TRAWL_BROWSER: EXECUTABLE ?? 'off',
    TRAWL_PROCESS_NAME: 'harbour-1',
  };
  let database: Awaited<ReturnType<typeof openDatabase>>;
  let other: RunningService;
  before(async () => {
    database = await openDatabase();
    settings.TRAWL_DATABASE_URL = database.url;
  });
  const scene = useConsoleOfOperator({ tier: 'full', settings });
  before(async () => {
    other = await startService({ ...scene.web.settings, ...settings, TRAWL_PROCESS_NAME: 'harbour-2' });
  });
  after(async () => {
    await other?.stop();
    await database?.drop();
  });

  test('both are listed, and each can be looked at', async () => {
    const page = await scene.open('/console/health');
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await row('harbour-1').getByText('Shown').waitFor();
    await row('harbour-2').getByRole('button', { name: 'Show the figures of harbour-2' }).waitFor();
    await page.getByRole('heading', { name: 'The last hour of harbour-1' }).waitFor();
    await page.getByText(scene.service.dataDir).waitFor();
    await scene.check(page, 'health-processes');
    await row('harbour-2').getByRole('button').click();
    await page.getByRole('heading', { name: 'The last hour of harbour-2' }).waitFor();
    await row('harbour-2').getByText('Shown').waitFor();
    await page.getByText(other.dataDir).waitFor();
    await page.locator('.uplot').nth(5).waitFor();
  });

  test('browsers say which process runs them, and are ended wherever they are', async () => {
    const { status, body } = await other.post<{ id: string }>('/v2/browser', {});
    assert.equal(status, 200, JSON.stringify(body));
    const page = await scene.open('/console/health?view=browsers');
    const session = page.getByRole('row').filter({ hasText: body.id.slice(-12) });
    await session.getByText('harbour-2').waitFor();
    await scene.check(page, 'health-processes-browsers');
    await session.getByRole('button', { name: 'End' }).click();
    await page.getByRole('button', { name: 'End the session' }).click();
    await page.getByText('No session is open').waitFor();
    await until(
      async () => (await (await other.fetch('/v2/health/browsers')).json()) as { data: { processes: unknown[] } },
      ({ data }) => data.processes.length === 0,
    );
  });
});

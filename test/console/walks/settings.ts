// The settings of the console, used as a person does: a key from its form to its refusal, a team, an agent, webhooks.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { NEEDS_BROWSER } from '../../support/browser/browser.ts';
import { until } from '../../support/jobs.ts';
import { readReceived } from '../../support/web/hooks.ts';
import { type Tier, testsOf } from '../support/tier.ts';
import { useConsoleOfOperator } from '../support/use-console.ts';

const run = promisify(execFile);

export function walkSettings(tier: Tier): void {
  const { fullTest } = testsOf(tier);
  describe('the settings of the console', NEEDS_BROWSER, () => {
    const scene = useConsoleOfOperator({
      tier,
      settings: {
        TRAWL_AUTH: 'required',
        TRAWL_AGENT_ANONYMOUS: 'limited',
        TRAWL_TEAM_FEATURES: 'threat-protection',
      },
    });
    const check = (page: Page, name: string) => scene.check(page, `settings-${name}`);
    const button = (page: Page, name: string | RegExp) =>
      page.getByRole('button', { name, exact: typeof name === 'string' });
    const dialog = (page: Page) => page.getByRole('dialog');

    async function open(section: string, key = scene.service.key): Promise<Page> {
      const page = await scene.open(`/console/settings/${section}`);
      await page.getByLabel('API key').fill(key);
      await page.getByLabel('API key').press('Enter');
      await page.getByRole('heading', { level: 1, name: /^Settings/ }).waitFor();
      return page;
    }
    const statusOf = (key: string) =>
      scene.service.fetch('/v2/me', { headers: { authorization: `Bearer ${key}` } }).then(({ status }) => status);

    test('a key is made, shown once, used by its curl, changed, rotated and revoked', async () => {
      const page = await open('keys');
      await page.getByRole('table', { name: 'Keys' }).waitFor();
      await button(page, 'New key').click();
      await page.getByLabel('Label').fill('newsletter');
      await page.getByRole('checkbox', { name: /^Map/ }).check();
      await page.getByText('More limits').click();
      await page.getByLabel('Networks').fill('127.0.0.1\nnonsense');
      await button(page, 'Create key').click();
      await dialog(page)
        .getByText(/^nonsense: Write an IP address/)
        .waitFor();
      await check(page, 'key-wrong');
      await page.getByLabel('Networks').fill('');
      await page.getByLabel('Label').press('Enter');
      await dialog(page).getByText('Copy it now').waitFor();
      await check(page, 'key-shown');
      const key = await dialog(page).getByRole('region', { name: 'Key', exact: true }).innerText();
      const curl = await dialog(page).getByRole('region', { name: 'Check that it works' }).innerText();
      assert.match(await dialog(page).getByRole('region', { name: 'A first call' }).innerText(), /\/v2\/map/);
      const { stdout } = await run('sh', ['-c', `${curl} -s`]);
      assert.deepEqual(JSON.parse(stdout).data.groups, ['map']);
      await button(page, 'I have copied it').click();
      assert.ok(!(await page.content()).includes(key.trim()), 'it is shown once');
      await page
        .getByRole('row', { name: /newsletter/ })
        .getByText('only map')
        .waitFor();

      await button(page, /^Change .newsletter/).click();
      await page.getByLabel('Label').fill('letters');
      await page.getByRole('checkbox', { name: /^Search/ }).check();
      await button(page, 'Save').click();
      await page
        .getByRole('row', { name: /letters/ })
        .getByText('only map, search')
        .waitFor();

      await button(page, /^Rotate .letters/).click();
      await page.getByLabel('The key as it is now works for').selectOption('0');
      await button(page, 'Rotate').click();
      const rotated = (await dialog(page).getByRole('region', { name: 'Key', exact: true }).innerText()).trim();
      await page.keyboard.press('Escape');
      assert.deepEqual([await statusOf(key.trim()), await statusOf(rotated)], [401, 200]);

      await button(page, /^Revoke .letters/).click();
      await dialog(page).getByText('Everything that uses this key stops working').waitFor();
      await check(page, 'key-revoke');
      await button(page, 'Revoke key').click();
      await page.getByText(/is revoked/).waitFor();
      await page.getByRole('row', { name: /letters/ }).waitFor({ state: 'detached' });
      assert.equal(await statusOf(rotated), 401);
      await check(page, 'keys');
    });

    fullTest('a team is made with a limit, gets a key, and its key sees no settings of others', async () => {
      const page = await open('teams');
      await button(page, 'New team').click();
      await page.getByLabel('Name').fill('two words');
      await button(page, 'Create team').click();
      await dialog(page)
        .getByText(/without spaces/)
        .waitFor();
      await check(page, 'team-wrong');
      await page.getByLabel('Name').fill('acme');
      await page.getByLabel('Credits a month').selectOption('own');
      await page.getByLabel('Credits a month: number').fill('500');
      await page.getByLabel('Plan').fill('no such plan');
      await button(page, 'Create team').click();
      await dialog(page).getByRole('alert').first().waitFor();
      await page.getByLabel('Plan').fill('');
      await button(page, 'Create team').click();
      await page.getByRole('row', { name: /acme/ }).getByText('500').waitFor();
      await check(page, 'teams');
      await button(page, 'Keys of acme').click();
      await page.getByText('No keys yet').waitFor();
      await check(page, 'team-keys-empty');
      await button(page, 'Make the first key').click();
      await button(page, 'Create key').click();
      const key = (await dialog(page).getByRole('region', { name: 'Key', exact: true }).innerText()).trim();
      const theirs = await open('teams', key);
      await theirs.getByText('Only the operator of this server can see this.').waitFor();
      assert.equal(await theirs.getByRole('link', { name: 'Teams', exact: true }).count(), 0);
      await check(theirs, 'not-operator');
    });

    fullTest('an agent that asks is approved, and another one is denied', async () => {
      const page = await open('agents');
      await page.getByText('No agent waits for approval').waitFor();
      await check(page, 'agents-empty');
      const register = async () => {
        const { body } = await scene.service.post<{ credential: string; claim_token: string }>('/agent/auth', {
          type: 'anonymous',
        });
        return body;
      };
      const [one, two] = [await register(), await register()];
      await scene.service.post('/agent/auth/claim', { claim_token: one.claim_token, email: 'me@example.org' });
      await page.reload();
      await page.getByText('me@example.org').waitFor();
      await check(page, 'agents');
      await button(page, `Approve ${one.credential.slice(0, 11)}…`).click();
      await page.getByRole('checkbox', { name: /^Crawl/ }).check();
      await check(page, 'agent-approve');
      await dialog(page).getByRole('button', { name: 'Approve' }).click();
      await page.getByText('The key of the agent stays the same.').waitFor();
      await button(page, `Deny ${two.credential.slice(0, 11)}…`).click();
      await button(page, 'Deny and revoke').click();
      await page.getByText('No agent waits for approval').waitFor();
      assert.deepEqual([await statusOf(one.credential), await statusOf(two.credential)], [200, 401]);
    });

    fullTest('a threat policy is saved, and a wrong entry is named at its field', async () => {
      const page = await open('threats');
      await page.getByText('Nothing is saved yet').waitFor();
      await page.getByLabel('Mode').selectOption('manual-only');
      await page.getByLabel('Blocked domains').fill('evil.example\nhttp://no');
      await button(page, 'Save policy').click();
      await page.getByText(/^http:\/\/no: Write a domain/).waitFor();
      await check(page, 'threats-wrong');
      await page.getByLabel('Blocked domains').fill('evil.example');
      await button(page, 'Save policy').click();
      await page.getByText(/The threat policy is saved/).waitFor();
      await page.reload();
      await page.getByText(/Saved/).first().waitFor();
      assert.equal(await page.getByLabel('Blocked domains').inputValue(), 'evil.example');
      await check(page, 'threats');
    });

    fullTest('domains of searches are saved and stay', async () => {
      const page = await open('domains');
      await page.getByLabel('First').fill('docs.example');
      await page.getByLabel('Never').fill('http://no');
      await button(page, 'Save domains').click();
      await page.getByText(/^http:\/\/no: /).waitFor();
      await page.getByLabel('Never').fill('copies.example');
      await button(page, 'Save domains').click();
      await page.getByText(/The domains are saved/).waitFor();
      await page.reload();
      await page.getByLabel('First').waitFor();
      assert.equal(await page.getByLabel('First').inputValue(), 'docs.example');
      await check(page, 'domains');
    });

    fullTest('a webhook call that failed is looked at and sent again, and a receiver is tried', async () => {
      const page = await open('webhooks');
      await page.getByText('No webhook calls yet').waitFor();
      await check(page, 'webhooks-empty');
      const hook = (path: string) => scene.web.url('hooks.test', path);
      const urls = [scene.web.url('load.test', '/article/1')];
      await scene.service.post('/v2/batch/scrape', { urls, webhook: hook('/flaky/console/1') });
      await page.getByText('waiting to retry').waitFor();
      await button(page, /^Show batch_scrape.started/).click();
      await dialog(page).getByText('The receiver answered with status 500.').waitFor();
      await check(page, 'webhook-call');
      await dialog(page).getByRole('button', { name: 'Send now' }).click();
      await page.getByText('It is on its way.').waitFor();
      const received = await until(
        () => readReceived(scene.web, 'console'),
        (calls) => calls.length === 4,
      );
      const [first, second] = received.map(({ body }) => JSON.parse(body).webhookId as string);
      assert.equal(first, second);
      await page.getByLabel('State').selectOption('delivered');
      await page
        .getByRole('row', { name: /batch_scrape.completed/ })
        .getByText('delivered')
        .waitFor();
      await check(page, 'webhooks');
      await page.getByLabel('Address').fill('http://192.168.0.1/');
      await button(page, 'Send test event').click();
      await page
        .getByText(/TRAWL_ALLOW_NETWORKS/)
        .first()
        .waitFor();
      await page.getByLabel('Address').fill(hook('/hook/console-test'));
      await button(page, 'Send test event').click();
      await page
        .getByText(/answered with status 200/)
        .first()
        .waitFor();
    });

    fullTest('providers and models say what turns them on, and the audit log what happened', async () => {
      const page = await open('providers');
      await page.getByRole('table', { name: 'Language models by purpose' }).waitFor();
      await page.getByText('TRAWL_MODEL_EXTRACT or TRAWL_MODEL').waitFor();
      await check(page, 'providers');
      await page.getByRole('link', { name: 'Audit log' }).click();
      await page.getByRole('table', { name: 'Audit events' }).waitFor();
      await page.getByLabel('Event', { exact: true }).selectOption('key.revoked');
      await page
        .getByRole('row', { name: /key\.revoked/ })
        .first()
        .waitFor();
      await check(page, 'audit');
      await page.getByLabel('Address of the collector').fill('http://collector.example/in');
      await button(page, 'Save').click();
      await page.getByText(/A collector needs an https URL/).waitFor();
    });

    test('somebody with a restricted key is told once what it cannot do', async () => {
      const { body } = await scene.service.post<{ data: { key: string } }>('/v2/team/keys', {
        limits: { operations: ['map'] },
      });
      const page = await open('keys', body.data.key);
      await page.getByText('Your key is restricted.').waitFor();
      assert.equal(await button(page, 'New key').count(), 0);
      await check(page, 'restricted');
      await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Playground' }).click();
      const operations = page.getByRole('navigation', { name: 'Operation' }).getByRole('link');
      await operations.first().waitFor();
      assert.deepEqual(await operations.allInnerTexts(), ['Map']);
      assert.equal(await page.getByRole('link', { name: 'Pages', exact: true }).count(), 0);
      await page.goto(new URL('/console/playground/crawl', scene.service.url).href);
      await page.getByText('Your key may not use crawl').waitFor();
    });
  });
}

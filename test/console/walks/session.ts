// Logging in to the console as a person does: by key and by link, being sent back to the login, and logging out.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { openConsoleOf } from '../../../src/compose/commands/console.ts';
import { readConfig } from '../../../src/config/settings.ts';
import { NEEDS_BROWSER } from '../../support/browser/browser.ts';
import { asNewTeam } from '../../support/shared-service.ts';
import { type Tier, testsOf } from '../support/tier.ts';
import { useConsoleOfOperator, useConsoleOfProgram } from '../support/use-console.ts';

const sh = promisify(execFile);

export function walkLogin(tier: Tier): void {
  const { onceTest } = testsOf(tier);
  describe('logging in to the console', NEEDS_BROWSER, () => {
    const scene = useConsoleOfProgram({ tier, settings: { TRAWL_AUTH: 'required' } });
    const newLink = async () => {
      const { dataDir, url } = scene.service;
      const link = await openConsoleOf(readConfig({ TRAWL_DATA_DIR: dataDir }), { url, needsKey: true });
      return link.slice(url.length);
    };
    const field = (page: Page) => page.getByLabel('API key');
    const submit = (page: Page) => page.getByRole('button', { name: 'Log in' }).click();
    const account = (page: Page) => page.getByRole('button', { name: 'Account: default' });
    const { check } = scene;
    async function newKey(body = {}): Promise<{ id: string; key: string }> {
      const answer = await scene.service.post<{ data: { id: string; key: string } }>('/v2/team/keys', body);
      return answer.body.data;
    }

    test('with a key: mistakes are explained, and one goes on at the same address', async () => {
      const page = await scene.open('/console/nowhere?a=b');
      await page.getByRole('heading', { name: 'Log in to Trawl' }).waitFor();
      await check(page, 'login');
      await field(page).press('Enter');
      await page.getByText('Paste an API key first.').waitFor();
      await field(page).fill('fc-wrong');
      await submit(page);
      await page.getByText('This key is not valid.').waitFor();
      await check(page, 'login-wrong-key');
      await field(page).fill(` ${scene.service.key} `);
      await field(page).press('Enter');
      await page.getByText('There is no page at this address').waitFor();
      assert.equal(new URL(page.url()).pathname + new URL(page.url()).search, '/console/nowhere?a=b');
      // Neither the key nor the session is where a script could find it.
      const visible = await page.evaluate(() =>
        JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }]),
      );
      assert.ok(!visible.includes('trawl_session') && !visible.includes(scene.service.key), visible);
      await page.reload();
      await page.getByText('There is no page at this address').waitFor();
      assert.equal(await page.getByRole('heading', { name: 'Log in to Trawl' }).count(), 0);
    });

    test('with the link that the start printed, which leaves no trace in the address', async () => {
      const [, link] = /Console: \S+?(\/#login=\w+)/.exec(scene.service.output().stdout)!;
      const page = await scene.open(link!);
      await account(page).waitFor();
      assert.equal(page.url(), `${scene.service.url}/`);
      await account(page).click();
      await page.getByText('none: you used a one-time link').waitFor();
      await check(page, 'account');
      await page.keyboard.press('Escape');
      assert.equal(await page.getByRole('dialog').count(), 0);
      // Somebody who is logged in stays so, whatever link is opened.
      await page.goto('about:blank');
      await page.goto(new URL(link!, scene.service.url).href);
      await account(page).waitFor();
      // Somebody else is told why the link does not work, and a new link is all that is needed.
      const other = await scene.open(link!);
      await other.getByText('This link has been used').waitFor();
      assert.equal(new URL(other.url()).hash, '');
      await check(other, 'login-used-link');
      const fresh = await newLink();
      await other.evaluate((path) => {
        location.href = path;
      }, fresh);
      await account(other).waitFor();
    });

    onceTest(
      'who logs out has to log in again, in other tabs as well, and leaves nothing to the next person',
      async () => {
        const page = await scene.open(await newLink());
        await account(page).waitFor();
        await page.goto(new URL('/console/playground/scrape?url=own.example', scene.service.url).href);
        await page.getByLabel('URL', { exact: true }).press('Enter');
        await page.getByLabel('Recent requests').waitFor();
        const tab = await page.context().newPage();
        await tab.goto(new URL('/console/nowhere', scene.service.url).href);
        await account(page).click();
        await page.getByRole('button', { name: 'Log out' }).click();
        await page.getByRole('heading', { name: 'Log in to Trawl' }).waitFor();
        await tab.reload();
        await tab.getByRole('heading', { name: 'Log in to Trawl' }).waitFor();
        assert.equal(page.url(), `${scene.service.url}/`);
        assert.ok(!(await page.evaluate(() => JSON.stringify({ ...localStorage }))).includes('own.example'));
      },
    );

    onceTest(
      'when another team logs in in another tab, an open page shows nothing of the first one any more',
      async () => {
        const other = await asNewTeam(scene.service, 'strangers');
        const page = await scene.open(await newLink());
        await account(page).waitFor();
        await page.goto(new URL('/console/playground/scrape?url=own.example', scene.service.url).href);
        await account(page).waitFor();
        const tab = await page.context().newPage();
        await tab.goto(scene.service.url);
        await account(tab).click();
        await tab.getByRole('button', { name: 'Log out' }).click();
        await field(tab).fill(other.key);
        await submit(tab);
        await tab.getByRole('button', { name: 'Account: strangers' }).waitFor();
        await account(page).click();
        await page.waitForURL(`${scene.service.url}/`);
        await page.getByRole('button', { name: 'Account: strangers' }).waitFor();
      },
    );

    onceTest(
      'a page on another port of the same host, to which the browser sends the cookie, can do nothing with it',
      async (t) => {
        const page = await scene.open(await newLink());
        await account(page).waitFor();
        let sentCookie: string | undefined;
        const elsewhere = createServer((request, response) => {
          sentCookie ??= request.headers.cookie;
          response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Elsewhere</title>');
        });
        elsewhere.listen(0, '127.0.0.1');
        await once(elsewhere, 'listening');
        t.after(() => elsewhere.close());
        const keys = async () =>
          ((await (await scene.service.fetch('/v2/team/keys')).json()) as { data: unknown[] }).data;
        const before = (await keys()).length;

        const attacker = await page.context().newPage();
        await attacker.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`);
        assert.match(sentCookie ?? '', /trawl_session_/);
        const got = await attacker.evaluate(async (service) => {
          const attempt = (path: string, init: RequestInit) =>
            fetch(service + path, { credentials: 'include', ...init }).then(
              async (response) => `${response.type} ${response.status} ${await response.text()}`,
              () => 'refused by the browser',
            );
          const post = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
          const socket = new WebSocket(
            `${service.replace('http', 'ws')}/v2/crawl/01900000-0000-7000-8000-000000000001`,
          );
          const closed = new Promise<string>((resolve) => {
            socket.onclose = ({ reason }) => resolve(reason);
          });
          return [
            await attempt('/console/session', {}),
            await attempt('/v2/team/keys', {}),
            await attempt('/v2/team/keys', post),
            await attempt('/v2/team/keys', { method: 'POST', mode: 'no-cors', body: '{}' }),
            await attempt('/console/session', { method: 'DELETE' }),
            await closed,
          ];
        }, scene.service.url);
        assert.deepEqual(got.slice(0, 3), Array(3).fill('refused by the browser'));
        assert.deepEqual(got.slice(3, 5), ['opaque 0 ', 'refused by the browser']);
        assert.match(got[5]!, /Only pages of this server/);
        assert.equal((await keys()).length, before);
        await page.reload();
        await account(page).waitFor();
      },
    );

    test('when the key is revoked, the next call leads back to the login, at the same address', async () => {
      const { id, key } = await newKey({ label: 'a laptop', limits: { operations: ['scrape', 'map'] } });
      const page = await scene.open('/console/nowhere');
      await field(page).fill(key);
      await submit(page);
      await account(page).click();
      await page.getByText('(a laptop)').waitFor();
      await page.getByText('use scrape, map').waitFor();
      await page.keyboard.press('Escape');
      await scene.service.fetch(`/v2/team/keys/${id}`, { method: 'DELETE' });
      await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Health' }).click();
      await page.getByText('Your session has ended.').waitFor();
      assert.equal(new URL(page.url()).pathname, '/console/health');
      assert.ok(await field(page).evaluate((element) => element === document.activeElement));
      await check(page, 'login-session-ended');
    });
  });

  // It looks the same.
  if (tier === 'full') return;
  describe('the console without authentication', NEEDS_BROWSER, () => {
    const scene = useConsoleOfOperator({ tier, settings: {} });

    test('nobody has to log in, and there is nothing to log out of', async () => {
      const page = await scene.open('/console/nowhere#login=whatever');
      await page.getByText('There is no page at this address').waitFor();
      assert.equal(new URL(page.url()).hash, '');
      await page.getByRole('button', { name: 'Account: default' }).click();
      await page.getByText('none: authentication is off').waitFor();
      assert.equal(await page.getByRole('button', { name: 'Log out' }).count(), 0);
    });

    test('the code to paste asks for no key', async () => {
      const page = await scene.open('/console/playground/scrape');
      await page.getByRole('textbox', { name: 'URL', exact: true }).fill(scene.web.url('any.test'));
      const code = page.getByRole('region', { name: 'The same call as code' });
      const curl = await code.getByRole('region', { name: 'curl', exact: true }).innerText();
      const { stdout } = await sh('sh', ['-c', curl], { env: { PATH: process.env.PATH } });
      assert.equal((JSON.parse(stdout) as { success: boolean }).success, true);
      for (const [client, text] of [
        ['JavaScript', "new Firecrawl({ apiKey: 'none'"],
        ['Python', 'Firecrawl(api_key="none"'],
      ] as const) {
        await code.getByRole('tab', { name: client, exact: true }).click();
        await code.getByRole('region', { name: client, exact: true }).getByText(text).waitFor();
      }
    });

    test('a service that does not answer is not mistaken for a login', async () => {
      const page = await scene.open('/console/nowhere');
      await page.route('**/console/session', (route) => route.abort());
      await page.reload();
      await page.getByText('The service did not answer.').waitFor();
      await page.unroute('**/console/session');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('There is no page at this address').waitFor();
    });
  });
}

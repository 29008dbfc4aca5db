// The public Python SDK as its users call it, with only the base URL changed: one Python process makes all calls.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { before, describe, test } from 'node:test';
import { pythonSdk } from '../../scripts/python-sdk.mjs';
import { NEEDS_BROWSER } from '../support/browser/browser.ts';
import { useService } from '../support/use-service.ts';

interface Page {
  markdown: string | null;
  links: string[] | null;
  status: number;
  id: string;
}

interface Job {
  status: string;
  total: number;
  credits: number;
  pages: Page[];
}

type Outcome = { value?: unknown; error?: string; status?: number; text?: string };

const DRIVER = join(import.meta.dirname, '../support/python/drive_sdk.py');
const python = pythonSdk();

describe('firecrawl-py 4.54.0', { skip: python ? false : 'the Python SDK is not installed' }, () => {
  const scene = useService({ TRAWL_BROWSER: 'auto' });
  let outcomes: Record<string, Outcome>;

  before(async () => {
    const input = JSON.stringify({
      url: scene.service.url,
      key: scene.service.key,
      site: scene.web.url('news.test'),
      page: scene.web.url('news.test', '/article/1'),
      missing: scene.web.url('error.test', '/404'),
      changing: scene.web.url('fault.test', '/flaky/500/0?python'),
      watched: scene.web.url('fault.test', '/flaky/500/0?python-monitor'),
    });
    const driver = spawn(python!, [DRIVER], { timeout: 120_000 });
    driver.stdin.end(input);
    const [stdout, stderr] = await Promise.all([text(driver.stdout), text(driver.stderr)]);
    assert.match(stdout, /^\{/, stderr);
    outcomes = JSON.parse(stdout);
  });

  const value = <T>(name: string): T => {
    const { error, text: problem, value: found } = outcomes[name]!;
    assert.equal(error, undefined, problem);
    return found as T;
  };
  const failure = (name: string) => [outcomes[name]!.error, outcomes[name]!.status];

  test('scrapes a page into a Document', () => {
    const { markdown, links, status, id } = value<Page>('scrape');
    assert.match(markdown!, /First point/);
    assert.ok(links!.length > 0);
    assert.equal(status, 200);
    assert.match(id, /^[0-9a-f-]{36}$/);
  });

  test('reads how a page has changed', () => {
    const [first, second, diff] = value<string[]>('changes');
    assert.deepEqual([first, second], ['new', 'changed']);
    assert.match(diff!, /-Visit 1\.\n\+Visit 2\./);
  });

  test('waits for a crawl and for a batch', () => {
    const crawl = value<Job>('crawl');
    assert.deepEqual([crawl.status, crawl.total, crawl.credits, crawl.pages.length], ['completed', 3, 3, 3]);
    const batch = value<Job>('batch');
    assert.deepEqual(batch.pages.map(({ status }) => status).toSorted(), [200, 404]);
  });

  test('watches a crawl until it has every page', () => {
    assert.deepEqual(value('watcher'), ['completed', 3]);
  });

  test('maps, searches with scraped pages, and parses an upload', () => {
    assert.ok(value<string[]>('map').length > 0);
    assert.equal(value<Page[]>('search').length, 1);
    assert.match(value<Page>('parse').markdown!, /# Upload/);
  });

  test('reads usage and its history', () => {
    const history = value<{ periods: { apiKey: string; creditsUsed: number }[] }>('credit history').periods;
    assert.equal(history[0]!.apiKey, scene.service.key.slice(0, 11));
    const { remaining_credits: left } = value<{ remaining_credits: number }>('credits');
    assert.equal(history[0]!.creditsUsed, 99_999_999 - left);
    assert.equal(value<{ remaining_tokens: number }>('tokens').remaining_tokens, 1_499_999_985);
    assert.equal(value<{ periods: { tokensUsed: number }[] }>('token history').periods[0]!.tokensUsed, 0);
    assert.ok(value('queue'));
  });

  test('watches pages with a monitor', () => {
    const { diff, pages, ...monitor } = value<{ diff: string[]; pages: Record<string, string>[] }>('monitor');
    const [watched, steady] = [
      scene.web.url('fault.test', '/flaky/500/0?python-monitor'),
      scene.web.url('news.test', '/article/1'),
    ];
    assert.deepEqual(pages, [
      { [watched]: 'new', [steady]: 'new' },
      { [watched]: 'changed', [steady]: 'same' },
    ]);
    assert.match(diff.join(), /-Visit 1\.\n\+Visit 2\./);
    const check = ['completed', 'confirmed', 2];
    assert.deepEqual(monitor, {
      ...{ cron: '0 * * * *', credits: 1461, checks: [check, check], last: 1, renamed: ['New', 'paused', null] },
      ...{ listed: true, deleted: true },
    });
  });

  test('opens and ends a browser session', NEEDS_BROWSER, () => {
    const { listed, cdp, credits } = value<{ listed: boolean; cdp: string; credits: number }>('browser');
    assert.deepEqual([listed, credits], [true, 2]);
    assert.match(cdp, /^ws:/);
  });

  test('raises errors of its own classes', () => {
    assert.deepEqual(failure('bad request'), ['BadRequestError', 400]);
    assert.deepEqual(failure('private address'), ['WebsiteNotSupportedError', 403]);
    assert.deepEqual(failure('unknown name'), ['DNSResolutionError', 500]);
    assert.equal(outcomes['unknown monitor']!.status, 404);
    assert.deepEqual(failure('wrong key'), ['UnauthorizedError', 401]);
  });
});

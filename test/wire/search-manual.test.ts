// The service's own manual: found on a fresh machine, and no way into the service itself.
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { CHAPTERS, type ChaptersResponse } from '../../src/contracts/manual.ts';
import { until } from '../support/jobs.ts';
import { search } from '../support/search/search.ts';
import { FIRST_SEARCH, service, urls, useManual } from '../support/wire/search-manual.ts';

/** What the addresses of earlier versions were. They must never change again. */
const OLD_ADDRESSES = [
  ['1-start', 'use/start'],
  ['2-settings', 'operate/settings'],
  ['3-operations', 'use/operations'],
  ['4-distributed', 'operate/distributed'],
  ['5-extending', 'extend/extending'],
  ['6-errors', 'use/errors'],
  ['7-compatibility', 'use/compatibility'],
  ['8-main-content', 'extend/main-content'],
  ['9-search', 'use/search'],
  ['10-documents', 'use/documents'],
  ['11-media', 'use/media'],
  ['12-testing', 'extend/testing'],
  ['13-research', 'use/research'],
  ['14-models', 'operate/models'],
  ['15-structured-data', 'use/structured-data'],
  ['16-redaction', 'use/redaction'],
  ['17-change-tracking', 'use/change-tracking'],
  ['18-answers', 'use/answers'],
  ['19-agent', 'use/agent'],
  ['20-monitors', 'use/monitors'],
  ['21-teams', 'operate/teams'],
  ['22-threat-protection', 'operate/threat-protection'],
  ['23-getting-a-key', 'operate/getting-a-key'],
  ['24-command-line', 'use/command-line'],
  ['25-mcp', 'use/mcp'],
  ['26-deploying', 'operate/deploying'],
  ['27-jobs', 'use/jobs'],
  ['28-console', 'use/console'],
] as const;

useManual();

test('the first search is answered without a network', async () => {
  const [first] = await until(urls, (found) => found.length > 0);
  assert.ok(first!.startsWith(`${service.url}/docs/`), first);
  const chapter = await fetch(first!);
  assert.deepEqual([chapter.status, chapter.headers.get('content-type')], [200, 'text/markdown; charset=utf-8']);
  assert.match(await chapter.text(), /crawl/i);
});

test('its results can be scraped, although the service itself cannot', async () => {
  const { data } = await search(service, { ...FIRST_SEARCH, scrapeOptions: { formats: ['markdown'] } });
  assert.match(data.web![0]!.markdown!, /crawl/i);
  const scrape = async (path: string) => (await service.scrape({ url: service.url + path })).status;
  assert.equal(await scrape('/docs/use/start.md'), 200);
  for (const path of [
    '/',
    '/docs/',
    '/docs/none.txt',
    '/docs/use/start.md?x=1',
    '/docs/1-start.md?x=1',
    '/docs/use%2fstart.md',
    '/docs/use/deeper/start.md',
    '/docs/use/start.md/x',
    '/docs/../v2/openapi.json',
    '/v2/openapi.json',
    '/v0/health/liveness',
    '/docs/..%2fREADME.md',
    '//docs/use/start.md',
  ]) {
    assert.equal(await scrape(path), 403, path);
  }
});

test('only its chapters are served', async () => {
  const { port } = new URL(service.url);
  /** Sends the path as it is written, without resolving it. */
  const status = (path: string) =>
    new Promise<number>((resolve, reject) => {
      request({ host: '127.0.0.1', port, path }, (response) => resolve(response.resume().statusCode!))
        .on('error', reject)
        .end();
    });
  assert.equal(await status('/docs/use/start.md'), 200);
  const tricks = [
    '/docs/none.md',
    '/docs/../README.md',
    '/docs/..%2fREADME.md',
    '/docs/../package.json',
    '/docs/use/../../package.json',
    '/docs/use/..%2f..%2fpackage.json',
    '/docs/../docs/use/start.md/../../../package',
    '/docs/use%2fstart.md',
    '/docs/use%252fstart.md',
    '/docs/..%2fdocs%2fuse/start.md',
    '/docs/../../docs/use/start',
    '/docs/use/deeper/start.md',
    `/docs${'/use'.repeat(500)}/start.md`,
    '/docs/use',
    '/docs/use/',
    '/docs/start.md',
    '/docs/images/main-content.svg',
    `/docs/use/${'a'.repeat(3000)}.md`,
    '/docs/%2e%2e%2fREADME.md',
    '/docs/..%5cREADME.md',
    '/docs/openapi.json',
    '/docs/.',
    '/docs/',
    '/docs//etc/passwd',
    '/docs/use/start.md%00.md',
    '/docs/%2fetc%2fpasswd',
    `/docs/${'a'.repeat(3000)}.md`,
  ];
  for (const path of tricks) assert.ok([400, 404, 414].includes(await status(path)), path);
});

test('every chapter is listed, in the order in which it is read', async () => {
  const { chapters } = (await (await fetch(`${service.url}/docs`)).json()) as ChaptersResponse;
  assert.deepEqual(
    chapters.map(({ name }) => name),
    CHAPTERS.map((name) => `${name}.md`),
  );
  assert.deepEqual(chapters[0], {
    ...{ name: 'use/start.md', group: 'use', title: 'The first five minutes' },
    bytes: (await (await fetch(`${service.url}/docs/use/start`)).arrayBuffer()).byteLength,
  });
});

test('addresses of earlier versions lead to the chapters, over HTTP, in the console and for scrapes', async () => {
  const moves = async (path: string) => {
    const answer = await fetch(service.url + path, { redirect: 'manual' });
    await answer.body?.cancel();
    return [answer.status, answer.headers.get('location')];
  };
  for (const [former, name] of OLD_ADDRESSES) {
    assert.deepEqual(await moves(`/docs/${former}`), [308, name]);
    assert.deepEqual(await moves(`/docs/${former}.md`), [308, `${name}.md`]);
    assert.deepEqual(await moves(`/console/manual/${former}.md`), [308, `${name}.md`]);
    const followed = await fetch(`${service.url}/docs/${former}.md`);
    assert.deepEqual([followed.status, followed.url], [200, `${service.url}/docs/${name}.md`]);
    assert.equal(await followed.text(), await (await fetch(`${service.url}/docs/${name}`)).text());
  }
  const { status, body } = await service.scrape({
    url: `${service.url}/docs/9-search.md`,
    formats: ['markdown', 'links'],
  });
  assert.equal(status, 200);
  const page = body.data as { metadata: { url: string }; links: string[] };
  assert.equal(page.metadata.url, `${service.url}/docs/use/search.md`);
  assert.ok(page.links.includes(`${service.url}/docs/operate/teams.md#data-retention`), page.links.join(' '));
});

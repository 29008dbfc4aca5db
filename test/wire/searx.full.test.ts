// A real searx (Debian's package) as a provider. `node scripts/setup.mjs --searx` installs it; without it, all is skipped.
// Its engines query a server of this test instead of the Internet, which shows what searx passes on.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { hostPaths, search } from '../support/search/search.ts';
import { type RunningService, startService } from '../support/service.ts';

const PROGRAM = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'searx-run'))
  .find(isProgram);
const START_MS = 90_000;
const HOUR = 3_600_000;
const PAGE = 10;

/** Where Debian puts the files that the package would expect beside its code. */
const SHARED = '/usr/share/python3-searx';

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The settings as JSON, which is valid YAML. Both sides use free ports. */
const settingsFor = (engines: string): string =>
  JSON.stringify({
    general: { debug: false, instance_name: 'searx' },
    search: { safe_search: 0, autocomplete: '', default_lang: '', ban_time_on_fail: 0, max_ban_time_on_fail: 0 },
    server: {
      port: 0,
      bind_address: '127.0.0.1',
      secret_key: 'only for this test',
      base_url: false,
      image_proxy: false,
      http_protocol_version: '1.0',
      method: 'GET',
      default_http_headers: {},
    },
    ui: {
      static_path: `${SHARED}/static`,
      templates_path: `${SHARED}/templates`,
      default_theme: 'oscar',
      default_locale: '',
      theme_args: { oscar_style: 'logicodev' },
    },
    outgoing: { request_timeout: 10, useragent_suffix: '', pool_connections: 10, pool_maxsize: 10 },
    engines: [
      {
        name: 'pages',
        engine: 'searx_engine',
        shortcut: 'pages',
        categories: 'general',
        instance_urls: [`${engines}/pages`],
        paging: true,
        time_range_support: true,
        enable_http: true,
      },
      ...['news', 'images'].map((category) => ({
        name: category,
        engine: 'reddit',
        shortcut: category,
        categories: category,
        search_url: `${engines}/${category}?{query}`,
        enable_http: true,
      })),
    ],
    locales: { en: 'English' },
    doi_resolvers: { 'oadoi.org': 'https://oadoi.org/' },
    default_doi_resolver: 'oadoi.org',
  });

/** The requests of the engines of searx. */
interface Asked {
  path: string;
  parameters: Record<string, string>;
}

if (PROGRAM === undefined) test('a real searx', { skip: 'it is not installed: node scripts/setup.mjs --searx' });
else describe('a real searx', () => testSearx(PROGRAM));

function testSearx(program: string): void {
  const asked: Asked[] = [];
  let folder: string;
  let engines: Server;
  let searx: ChildProcess;
  let service: RunningService;
  let isBroken = false;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'trawl-searx-'));
    engines = createServer(async (request, response) => {
      const url = new URL(request.url ?? '/', 'http://engines.test');
      const form = new URLSearchParams(await text(request));
      const parameters = Object.fromEntries([...url.searchParams, ...form]);
      asked.push({ path: url.pathname, parameters });
      const answer = ANSWERS[url.pathname]?.(Number(parameters.pageno));
      response.writeHead(isBroken ? 500 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    }).listen(0, '127.0.0.1');
    await once(engines, 'listening');
    const settings = join(folder, 'settings.yml');
    writeFileSync(settings, settingsFor(`http://127.0.0.1:${(engines.address() as AddressInfo).port}`));
    const { PATH } = process.env;
    const env = { PATH, HOME: folder, TZ: 'UTC', SEARX_SETTINGS_PATH: settings, PYTHONUNBUFFERED: '1' };
    searx = spawn(program, [], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    service = await startService({ TRAWL_SEARXNG_URL: await addressOf(searx) });
  });

  after(async () => {
    await service?.stop();
    if (searx && searx.exitCode === null) {
      searx.kill('SIGKILL');
      await once(searx, 'close');
    }
    engines?.closeAllConnections();
    engines?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  beforeEach(() => {
    asked.length = 0;
  });

  test('its results are results of a search', async () => {
    const { data, warning } = await search(service, { query: 'tin whistle', country: 'GB', limit: 3, explain: true });
    assert.equal(warning, undefined);
    assert.deepEqual(hostPaths(data.web), ['page-1.test/whistle', 'page-2.test/whistle', 'page-3.test/whistle']);
    const [first] = data.web!;
    assert.deepEqual([first!.title, first!.description], ['Tin whistle 1', 'All about the tin whistle, part 1.']);
    assert.deepEqual(first!.explain!.providers, [{ provider: 'searxng', rank: 1 }]);
    const [{ path, parameters }] = asked as [Asked];
    assert.equal(path, '/pages');
    assert.deepEqual([parameters.q, parameters.pageno, parameters.language], ['tin whistle', '1', 'en-GB']);
  });

  test('further pages are requested until there are enough results', async () => {
    const { data } = await search(service, { query: 'tin whistle', limit: 25 });
    assert.equal(new Set(hostPaths(data.web)).size, 25);
    assert.deepEqual(
      asked.map(({ parameters }) => parameters.pageno),
      ['1', '2', '3'],
    );
  });

  test('results that its engines do not filter are filtered here', async () => {
    const { data } = await search(service, { query: 'whistle -site:page-1.test', limit: 2 });
    assert.deepEqual(hostPaths(data.web), ['page-2.test/whistle', 'page-3.test/whistle']);
    assert.equal(asked[0]!.parameters.q, 'whistle -site:page-1.test');
  });

  test('a time filter is sent to engines that support it, and to no others', async () => {
    await search(service, { query: 'tin whistle', tbs: 'qdr:w' });
    assert.deepEqual([asked[0]!.path, asked[0]!.parameters.time_range], ['/pages', 'week']);
    asked.length = 0;
    const { data } = await search(service, { query: 'tin whistle', sources: ['news'], tbs: 'qdr:w' });
    assert.deepEqual([data.news, asked], [[], []]);
  });

  test('news have their date', async () => {
    const { data } = await search(service, { query: 'whistle prize', sources: ['news'] });
    assert.deepEqual(hostPaths(data.news), ['paper.test/recent', 'paper.test/older']);
    assert.ok(Math.abs(Date.parse(data.news![0]!.date!) - (Date.now() - 3 * HOUR)) < 60_000);
    assert.equal(data.news![1]!.date?.slice(0, 10), new Date(older()).toISOString().slice(0, 10));
    assert.equal(data.news![1]!.snippet, 'The whistle prize went to nobody.');
  });

  test('images have their page and their address', async () => {
    const { data } = await search(service, { query: 'whistle prize', sources: ['images'] });
    assert.deepEqual(
      data.images!.map(({ title, url, imageUrl }) => [title, url, imageUrl]),
      [['A picture of the whistle prize', 'http://gallery.test/prize', 'http://gallery.test/prize.jpg']],
    );
  });

  test('engines that fail give no results and no error', async () => {
    isBroken = true;
    try {
      const { data } = await search(service, { query: 'bone whistle' });
      assert.deepEqual(data.web, []);
      assert.ok(asked.length > 0);
    } finally {
      isBroken = false;
    }
  });
}

/** The address that it prints once it listens. */
async function addressOf(searx: ChildProcess): Promise<string> {
  const said: string[] = [];
  for (const stream of [searx.stdout!, searx.stderr!]) {
    createInterface({ input: stream }).on('line', (line) => said.push(line));
  }
  const late = AbortSignal.timeout(START_MS);
  for (;;) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said.join('\n'))?.[0];
    if (url) return url;
    if (late.aborted || searx.exitCode !== null) throw new Error(`searx did not start:\n${said.join('\n')}`);
    await sleep(50);
  }
}

/** Thirty pages, ten at a time, as another instance of searx would list them. */
function pagesAnswer(page: number) {
  const first = (page - 1) * PAGE + 1;
  const numbers = page > 3 ? [] : Array.from({ length: PAGE }, (_, index) => first + index);
  const results = numbers.map((number) => ({
    url: `http://page-${number}.test/whistle`,
    title: `Tin <b>whistle</b> ${number}`,
    content: `All about the tin whistle, part ${number}.`,
  }));
  return { results, answers: [], infoboxes: [], suggestions: [], number_of_results: 30 };
}

const older = () => Date.now() - 72 * HOUR;

/** Posts as a forum's search lists them: those with a thumbnail are images, the others have a text and a time. */
const posts = (...data: object[]) => ({ data: { children: data.map((post) => ({ data: post })) } });

const newsAnswer = () =>
  posts(
    {
      permalink: 'http://paper.test/recent',
      title: 'Whistle prize given',
      thumbnail: 'self',
      created_utc: (Date.now() - 3 * HOUR) / 1000,
      selftext: 'The whistle prize went to all.',
    },
    {
      permalink: 'http://paper.test/older',
      title: 'No whistle prize',
      thumbnail: 'self',
      created_utc: older() / 1000,
      selftext: 'The whistle prize went to nobody.',
    },
  );

const imagesAnswer = () =>
  posts({
    permalink: 'http://gallery.test/prize',
    title: 'A picture of the whistle prize',
    thumbnail: 'http://gallery.test/small/prize.jpg',
    url: 'http://gallery.test/prize.jpg',
  });

const ANSWERS: Record<string, (page: number) => object> = {
  '/pages': pagesAnswer,
  '/news': newsAnswer,
  '/images': imagesAnswer,
};

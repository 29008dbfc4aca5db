// Collections over HTTP: what their runs find, what `changes` says of it, and what is never deleted.
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { until } from '../support/jobs.ts';
import { useService } from '../support/use-service.ts';
import {
  callJson,
  ended,
  getCollection,
  HOST,
  putCollection,
  readChanges,
  runOnce,
  shelfSite,
  short,
} from '../support/wire/collections.ts';

const shelf = shelfSite();
const { served, log } = shelf;
const scene = useService({}, undefined, { [HOST]: shelf.site });
const at = (path: string) => scene.web.url(HOST, path);
const crawlOf = (more: object = {}) => ({
  type: 'crawl',
  url: at('/'),
  crawlOptions: { limit: 50, sitemap: 'skip', ignoreRobotsTxt: true, ...more },
});

let count = 0;
let name = '';

beforeEach(() => {
  served.clear();
  shelf.held.clear();
  shelf.linked = () => [...served.keys()];
  for (const path of ['/', '/a', '/b', '/c']) served.set(path, `The shelf of ${path}.`);
  count += 1;
  name = `shelf-${count}`;
});

describe('the changes of a crawled site', () => {
  test('name each page once, unchanged ones never again, and stable ids of pages and chunks', async () => {
    await putCollection(scene.service, name, { targets: [crawlOf()] });
    const first = await runOnce(scene.service, name);
    assert.deepEqual(first.summary, { pages: 4, added: 4, changed: 0, same: 0, deleted: 0, problems: 0 });
    const all = await readChanges(scene.service, name);
    assert.deepEqual(short(all).sort(), ['+/', '+/a', '+/b', '+/c']);
    assert.ok(all.every(({ chunkIds }) => chunkIds.length > 0));
    const since = all.at(-1)!.cursor;

    log.length = 0;
    const second = await runOnce(scene.service, name);
    assert.deepEqual([second.status, second.summary!.same], ['completed', 4]);
    assert.deepEqual(log.toSorted(), ['/ 304', '/a 304', '/b 304', '/c 304'], 'read anew, by conditional requests');
    assert.deepEqual(await readChanges(scene.service, name, since), []);

    served.set('/b', 'A new book about bridges.');
    await runOnce(scene.service, name);
    const changed = await readChanges(scene.service, name, since);
    assert.deepEqual(short(changed), ['+/b']);
    const before = all.find(({ url }) => url === at('/b'))!;
    assert.equal(changed[0]!.id, before.id);
    assert.notEqual(changed[0]!.hash, before.hash);
    const { body } = await callJson(scene.service, 'GET', `/v2/scrape/${changed[0]!.scrapeId}`);
    assert.match(body.data.markdown, /A new book about bridges/);
    assert.deepEqual(
      body.data.chunks.map(({ id }: { id: string }) => id),
      changed[0]!.chunkIds,
    );
    const gone = await callJson(scene.service, 'GET', `/v2/scrape/${before.scrapeId}`);
    assert.equal(gone.status, 404, 'the former version is not kept');
  });

  test('go on from any line', async () => {
    await putCollection(scene.service, name, { targets: [crawlOf()] });
    await runOnce(scene.service, name);
    const all = await readChanges(scene.service, name);
    for (const [index, { cursor }] of all.entries())
      assert.deepEqual(await readChanges(scene.service, name, cursor), all.slice(index + 1));
    assert.deepEqual(await readChanges(scene.service, name, undefined, 2), all.slice(0, 2));
    assert.deepEqual(await readChanges(scene.service, name, (await getCollection(scene.service, name)).cursor), []);
    const path = `/v2/collections/${name}/changes`;
    const newest = await (await scene.service.fetch(`${path}?last=1`)).text();
    assert.deepEqual(JSON.parse(newest), all.at(-1));
    assert.equal((await scene.service.fetch(`${path}?last=1&since=${all[0]!.cursor}`)).status, 400);
  });

  test('end with 410 for a cursor that the collection does not know', async () => {
    await putCollection(scene.service, name, { targets: [crawlOf()] });
    await runOnce(scene.service, name);
    const { cursor } = await getCollection(scene.service, name);
    const ahead = cursor.replace(/\d+$/, (digits) => `${Number(digits) + 1}`);
    await callJson(scene.service, 'DELETE', `/v2/collections/${name}`);
    const former = cursor;
    await putCollection(scene.service, name, { targets: [crawlOf()] });
    await runOnce(scene.service, name);
    for (const since of [ahead, former, 'nonsense', '000000000000.1']) {
      const { status, body } = await callJson(scene.service, 'GET', `/v2/collections/${name}/changes?since=${since}`);
      assert.deepEqual([status, body.code], [410, 'CURSOR_GONE'], since);
      assert.match(body.error, /Begin anew/);
    }
  });
});

interface Ending {
  what: string;
  meanwhile(): void;
  /** Options of the crawl in the second run. */
  crawl?: object;
  deletes: string[];
  kept?: RegExp;
}

describe('a run deletes', () => {
  const endings: Ending[] = [
    {
      what: 'a page that answers 404, and one that answers 410',
      meanwhile: () => {
        shelf.linked = () => ['/', '/a', '/b', '/c'];
        served.delete('/a');
        served.set('/b', 410);
      },
      deletes: ['-/a', '-/b'],
    },
    {
      what: 'a page that nothing leads to any more',
      meanwhile: () => {
        shelf.linked = () => ['/', '/a', '/b'];
      },
      deletes: ['-/c'],
    },
    {
      what: 'nothing if the limit was reached',
      meanwhile: () => {
        served.delete('/a');
      },
      crawl: { limit: 2 },
      deletes: [],
      kept: /reached its limit of 2 pages/,
    },
    {
      what: 'no page with an error, and none that only it may lead to',
      meanwhile: () => {
        shelf.linked = () => ['/', '/a', '/b'];
        served.set('/b', 500);
      },
      deletes: [],
      kept: /\/b could not be read.*were not deleted/,
    },
    {
      what: 'no page that robots.txt forbids now',
      meanwhile: () => {},
      crawl: { ignoreRobotsTxt: false },
      deletes: [],
      kept: /robots\.txt forbids/,
    },
    {
      what: 'no page behind a login wall',
      meanwhile: () => {
        served.set('/a', 401);
      },
      deletes: [],
      kept: /\/a could not be read/,
    },
    {
      what: 'nothing if the start page cannot be read',
      meanwhile: () => {
        served.set('/', 500);
      },
      deletes: [],
      kept: /could not be read/,
    },
  ];
  for (const { what, meanwhile, crawl, deletes, kept } of endings)
    test(what, async () => {
      await putCollection(scene.service, name, { targets: [crawlOf()] });
      await runOnce(scene.service, name);
      const { cursor, pages } = await getCollection(scene.service, name);
      assert.equal(pages, 4);
      meanwhile();
      if (crawl) await putCollection(scene.service, name, { targets: [crawlOf(crawl)] });
      const run = await runOnce(scene.service, name);
      const lines = await readChanges(scene.service, name, cursor);
      assert.deepEqual(
        short(lines)
          .filter((line) => line.startsWith('-'))
          .sort(),
        deletes,
        JSON.stringify(run),
      );
      assert.equal((await getCollection(scene.service, name)).pages, 4 - deletes.length);
      assert.equal(run.summary!.deleted, deletes.length);
      if (kept) assert.match(run.kept.join('\n'), kept);
      else assert.deepEqual(run.kept, []);
      for (const { op, chunkIds, scrapeId } of lines)
        if (op === 'delete') assert.ok(chunkIds.length > 0 && scrapeId === undefined);
    });
});

describe('pages that were added by themselves', () => {
  test('are read at once, and stay although no target reaches them', async () => {
    served.set('/lonely', 'Nobody links here.');
    shelf.linked = () => ['/', '/a', '/b', '/c'];
    await putCollection(scene.service, name, { targets: [crawlOf()] });
    await runOnce(scene.service, name);
    const { cursor } = await getCollection(scene.service, name);
    log.length = 0;
    const pages = { urls: [at('/lonely'), at('/missing'), at('/lonely')] };
    const { body } = await callJson(scene.service, 'POST', `/v2/collections/${name}/pages`, pages);
    assert.equal(body.data.added, 2);
    const { lastRun } = await ended(scene.service, name, body.data.runId);
    assert.deepEqual(log.toSorted(), ['/lonely 200', '/missing 404'], 'nothing else is read');
    assert.equal(lastRun!.summary!.added, 1);
    assert.deepEqual(short(await readChanges(scene.service, name, cursor)), ['+/lonely']);
    await runOnce(scene.service, name);
    const list = await callJson(scene.service, 'GET', `/v2/collections/${name}/pages`);
    const states = list.body.data.map((page: { url: string; state: string; source: string }) => [
      ...[new URL(page.url).pathname, page.state, page.source],
    ]);
    assert.deepEqual(states, [
      ['/', 'present', 'target'],
      ['/a', 'present', 'target'],
      ['/b', 'present', 'target'],
      ['/c', 'present', 'target'],
      ['/lonely', 'present', 'page'],
      ['/missing', 'waiting', 'page'],
    ]);
    served.delete('/lonely');
    await runOnce(scene.service, name);
    assert.equal(short(await readChanges(scene.service, name, cursor)).at(-1), '-/lonely');
  });
});

describe('an uploaded file', () => {
  const TEXT = `# Lamps\n\n${'The lamp of the lighthouse turns once in ten seconds. '.repeat(4)}`;
  const upload = async (file: string, text: string, options: object = {}) => {
    const form = new FormData();
    form.append('file', new File([text], file));
    form.append('options', JSON.stringify({ collection: name, ...options }));
    const response = await scene.service.fetch('/v2/parse', { method: 'POST', body: form });
    return {
      status: response.status,
      body: (await response.json()) as { code: string; error: string; warning?: string },
    };
  };
  const lines = async (since?: string) =>
    (await readChanges(scene.service, name, since)).map(({ op, url }) => `${op} ${url}`);
  const remove = (...urls: string[]) => {
    const query = urls.map((url) => `url=${encodeURIComponent(url)}`).join('&');
    return callJson(scene.service, 'DELETE', `/v2/collections/${name}/pages?${query}`);
  };

  test('is a page under its name, stays in spite of runs, is replaced by its next version, and can be taken out', async () => {
    await putCollection(scene.service, name, { targets: [crawlOf()] });
    await runOnce(scene.service, name);
    const { cursor } = await getCollection(scene.service, name);
    const parsed = await upload('lamps.md', TEXT, { formats: ['links'] });
    assert.deepEqual([parsed.status, parsed.body.warning], [200, undefined], JSON.stringify(parsed.body));
    const [added] = await readChanges(scene.service, name, cursor);
    assert.deepEqual([added!.op, added!.url, added!.chunkIds.length], ['upsert', 'lamps.md', 1]);
    const { body } = await callJson(scene.service, 'GET', `/v2/scrape/${added!.scrapeId}`);
    assert.match(body.data.markdown, /lamp of the lighthouse/);

    assert.equal((await upload('lamps.md', TEXT)).status, 200);
    assert.deepEqual(await lines(added!.cursor), [], 'the same text gives no line');
    served.set('/lamps.md', 'A page of that name.');
    const run = await runOnce(scene.service, name);
    assert.deepEqual([run.summary!.deleted, run.problems], [0, []]);
    await upload('lamps.md', `${TEXT}\n\nIt is red.`);
    const [changed] = (await readChanges(scene.service, name, added!.cursor)).filter(({ url }) => url === 'lamps.md');
    assert.deepEqual([changed!.op, changed!.id, changed!.hash === added!.hash], ['upsert', added!.id, false]);
    const listed = await callJson(scene.service, 'GET', `/v2/collections/${name}/pages?limit=10`);
    const all = listed.body.data as { url: string; source: string }[];
    assert.deepEqual(
      all.filter(({ source }) => source === 'upload').map(({ url }) => url),
      ['lamps.md'],
    );
    const exported = await (await scene.service.fetch(`/v2/collections/${name}/export`)).text();
    assert.match(exported, /It is red/);

    assert.deepEqual((await remove('lamps.md', 'unknown.md')).body.data, { removed: 1 });
    assert.deepEqual(await lines(changed!.cursor), ['delete lamps.md']);
    assert.equal((await callJson(scene.service, 'GET', `/v2/scrape/${changed!.scrapeId}`)).status, 404);
    await upload('lamps.md', TEXT);
    assert.deepEqual(await lines(changed!.cursor), ['upsert lamps.md']);
  });

  test('is refused where it could not be kept, and changes nothing without text', async () => {
    const unknown = await upload('a.md', TEXT);
    assert.deepEqual([unknown.status, unknown.body.code], [404, 'COLLECTION_NOT_FOUND']);
    const redactPII = { mode: 'fast' };
    await putCollection(scene.service, name, { scrapeOptions: { redactPII } });
    const traceless = await upload('a.md', TEXT, { zeroDataRetention: true });
    assert.equal(traceless.status, 400);
    assert.match(traceless.body.error, /zero data retention/);
    const whole = await upload('a.md', `${TEXT} Write to jane.roe@example.com.`);
    assert.equal(whole.status, 400);
    assert.match(whole.body.error, /redactPII/);
    const empty = await upload('a.md', '\n', { redactPII });
    assert.deepEqual([empty.status, await lines()], [200, []]);
    assert.match(empty.body.warning ?? '', /has no text/);
    assert.equal((await upload('a.md', `${TEXT} Write to jane.roe@example.com.`, { redactPII })).status, 200);
    assert.deepEqual(await lines(), ['upsert a.md']);
    const exported = await (await scene.service.fetch(`/v2/collections/${name}/export`)).text();
    assert.match(exported, /lighthouse/);
    assert.doesNotMatch(exported, /jane\.roe/);
    assert.equal((await remove()).status, 400);
  });

  test('needs a key for collections, too', async () => {
    await putCollection(scene.service, name, {});
    const keys: Record<string, string> = {};
    for (const [label, operations] of [
      ['parsing', ['parse']],
      ['both', ['parse', 'collection']],
    ] as const) {
      const made = await callJson(scene.service, 'POST', '/v2/team/keys', { label, limits: { operations } });
      assert.equal(made.status, 200, JSON.stringify(made.body));
      keys[label] = made.body.data.key;
    }
    const statuses = [];
    for (const key of [keys.parsing!, keys.both!]) {
      const form = new FormData();
      form.append('file', new File([TEXT], 'lamps.md'));
      form.append('options', JSON.stringify({ collection: name }));
      const headers = { authorization: `Bearer ${key}` };
      const response = await scene.service.fetch('/v2/parse', { method: 'POST', body: form, headers });
      statuses.push([response.status, ((await response.json()) as { code?: string }).code]);
    }
    assert.deepEqual(statuses, [
      [403, 'KEY_RESTRICTED'],
      [200, undefined],
    ]);
    assert.deepEqual(await lines(), ['upsert lamps.md']);
  });
});

test('a page that is taken out gives a delete line, and one that was never read gives none', async () => {
  await putCollection(scene.service, name, { targets: [{ type: 'scrape', urls: [at('/a')] }] });
  await runOnce(scene.service, name);
  const { cursor } = await getCollection(scene.service, name);
  await callJson(scene.service, 'POST', `/v2/collections/${name}/pages`, { urls: [at('/b')], run: false });
  const query = [at('/a'), at('/b'), at('/b')].map((url) => `url=${encodeURIComponent(url)}`).join('&');
  const { body } = await callJson(scene.service, 'DELETE', `/v2/collections/${name}/pages?${query}`);
  assert.deepEqual(body.data, { removed: 2 });
  assert.deepEqual(short(await readChanges(scene.service, name, cursor)), ['-/a']);
  const listed = await callJson(scene.service, 'GET', `/v2/collections/${name}/pages`);
  assert.deepEqual(listed.body.data, []);
});

describe('a search within a collection', () => {
  test('finds its pages and no others, and answers 404 for one that there is not', async () => {
    served.set('/outside', 'A zeppelin over the harbour.');
    served.set('/inside', 'A zeppelin above the mountains.');
    shelf.linked = () => ['/', '/a'];
    await putCollection(scene.service, name, { targets: [{ type: 'scrape', urls: [at('/inside')] }] });
    await scene.service.scrape({ url: at('/outside') });
    await runOnce(scene.service, name);
    const search = { query: 'zeppelin', collection: name };
    // Pages of jobs are gathered for a second before they are indexed.
    const hits = await until(
      () => callJson(scene.service, 'POST', '/v2/index/search', search),
      ({ body }) => body.data.hits.length > 0,
    );
    assert.deepEqual(
      hits.body.data.hits.map(({ url }: { url: string }) => url),
      [at('/inside')],
    );
    const found = await callJson(scene.service, 'POST', '/v2/search', search);
    assert.deepEqual(
      found.body.data.web.map(({ url }: { url: string }) => url),
      [at('/inside')],
    );
    const all = await callJson(scene.service, 'POST', '/v2/index/search', { query: 'zeppelin' });
    assert.equal(all.body.data.hits.length, 2);
    const answer = await callJson(scene.service, 'POST', '/v2/answer', { ...search, query: 'Where is the zeppelin?' });
    assert.deepEqual(
      answer.body.data.pages.map(({ url }: { url: string }) => url),
      [at('/inside')],
    );
    for (const path of ['/v2/search', '/v2/index/search', '/v2/answer']) {
      const unknown = await callJson(scene.service, 'POST', path, { query: 'zeppelin', collection: 'no-such' });
      assert.deepEqual([unknown.status, unknown.body.code], [404, 'COLLECTION_NOT_FOUND'], path);
    }
  });

  test('shows nothing that the collection redacts, unless the search redacts, too', async () => {
    const redacting = { type: 'scrape', urls: [at('/a')], scrapeOptions: { redactPII: { mode: 'fast' } } };
    served.set('/a', 'Write to jane.roe@example.com about the bridge.');
    await putCollection(scene.service, name, { targets: [redacting] });
    await runOnce(scene.service, name);
    const { body: exported } = await callJson(scene.service, 'GET', `/v2/collections/${name}/export?format=json`);
    assert.doesNotMatch(JSON.stringify(exported), /jane\.roe/);
    const search = { query: 'bridge', collection: name };
    for (const path of ['/v2/search', '/v2/index/search', '/v2/answer']) {
      const { status, body } = await callJson(scene.service, 'POST', path, search);
      assert.equal(status, 400, path);
      assert.match(body.error, /redacted/);
    }
    const scrapeOptions = { redactPII: { mode: 'fast' } };
    const found = await callJson(scene.service, 'POST', '/v2/search', { ...search, scrapeOptions });
    assert.equal(found.status, 200, JSON.stringify(found.body));
    assert.doesNotMatch(JSON.stringify(found.body), /jane\.roe/);
  });
});

test('a collection is exported whole, in every format', async () => {
  await putCollection(scene.service, name, { targets: [crawlOf()] });
  await runOnce(scene.service, name);
  for (const format of ['jsonl', 'json', 'csv', 'markdown', 'chunks', 'zip', 'warc']) {
    const response = await scene.service.fetch(`/v2/collections/${name}/export?format=${format}`);
    const bytes = Buffer.from(await response.arrayBuffer());
    assert.deepEqual([response.status, response.headers.get('x-trawl-documents')], [200, '4'], format);
    if (format === 'jsonl') assert.equal(bytes.toString().trimEnd().split('\n').length, 4);
    if (format === 'chunks') assert.match(bytes.toString(), /The shelf of \/b/);
    assert.ok(bytes.length > 500, format);
  }
});

test('a deleted stored page gives a delete line', async () => {
  await putCollection(scene.service, name, { targets: [crawlOf()] });
  await runOnce(scene.service, name);
  const { cursor } = await getCollection(scene.service, name);
  const { body } = await callJson(scene.service, 'DELETE', `/v2/index/pages?url=${encodeURIComponent(at('/b'))}`);
  assert.equal(body.data.pages, 1, JSON.stringify(body));
  assert.deepEqual(short(await readChanges(scene.service, name, cursor)), ['-/b']);
});

describe('what makes no sense is refused', () => {
  const page = { type: 'scrape', urls: ['https://example.com/'] };
  const refusals: [what: string, body: object, message: RegExp][] = [
    ['zero data retention', { zeroDataRetention: true }, /zero data retention/],
    ['the cache', { targets: [{ ...page, scrapeOptions: { maxAge: 1_000 } }] }, /reads pages anew/],
    ['lockdown', { scrapeOptions: { lockdown: true } }, /lockdown/],
    ['change tracking', { scrapeOptions: { formats: ['markdown', 'changeTracking'] } }, /tracks changes itself/],
    ['a search', { targets: [{ type: 'search', queries: ['x'] }] }, /types scrape and crawl/],
    ['an unknown schedule', { schedule: { text: 'whenever' } }, /schedule/i],
    ['a private address', { targets: [{ type: 'scrape', urls: ['http://10.0.0.1/'] }] }, /private|not allowed/],
  ];
  for (const [what, body, message] of refusals)
    test(what, async () => {
      const answer = await callJson(scene.service, 'PUT', `/v2/collections/${name}`, body);
      assert.ok(answer.status === 400 || answer.status === 403, JSON.stringify(answer));
      assert.match(JSON.stringify(answer.body), message);
    });

  test('a name that is no name', async () => {
    for (const wrong of ['.hidden', 'a%20b', 'x'.repeat(65)]) {
      const { status, body } = await callJson(scene.service, 'PUT', `/v2/collections/${wrong}`, {});
      assert.deepEqual([status, body.code], [400, 'BAD_REQUEST'], wrong);
    }
  });
});

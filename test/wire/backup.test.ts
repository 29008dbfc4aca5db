// Backups are made while the service works, hold everything that was answered before they began, and can be put back. The
// doctor examines a data folder.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { BATCH, CRAWL, endedJob, read, runBatch, startJob } from '../support/jobs.ts';
import { MAIN, PROGRAM_ENV } from '../support/program.ts';
import { type RunningService, startServiceWith } from '../support/service.ts';
import { page, type Site, send } from '../support/web/reply.ts';
import { startWeb, type Web } from '../support/web.ts';

const PAGES = 60;
const endless: Site = {
  '/*': (exchange) => {
    const links = Array.from({ length: PAGES }, (_, number) => `<a href="/${number}">${number}</a>`);
    const ballast = `<!-- ${randomBytes(100_000).toString('base64')} -->`;
    send(exchange, page(`Page ${exchange.tail}`, `<p>About ${exchange.tail}.</p>${links.join(' ')}${ballast}`));
  },
};

let web: Web;
let service: RunningService;
const folder = mkdtempSync(join(tmpdir(), 'trawl-backup-'));
const BACKUP = join(folder, 'backup');

before(async () => {
  web = await startWeb({ 'endless.test': endless });
  service = await startServiceWith(web);
});
after(async () => {
  await service?.stop();
  await web?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function trawl(dataDir: string, ...args: string[]) {
  const env = { ...PROGRAM_ENV, TRAWL_DATA_DIR: dataDir };
  const child = spawn(process.execPath, [MAIN, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { out: '', error: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => (output.out += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (output.error += text));
  const [code] = (await once(child, 'close')) as [number];
  return { code, ...output };
}

const scrapeHeavy = (path: string) =>
  service.scrape<{ data: { metadata: { scrapeId: string } } }>({
    url: web.url('endless.test', path),
    formats: ['rawHtml', 'markdown'],
    maxAge: 0,
  });

test('what was answered before a backup began is in it, though the service kept working', async () => {
  const urls = [1, 2, 3].map((number) => web.url('endless.test', `/${number}`));
  const batch = await runBatch(service, { urls, formats: ['rawHtml'] });
  const scraped: string[] = [];
  for (let number = 0; number < 5; number++) {
    scraped.push((await scrapeHeavy(`/${number}`)).body.data.metadata.scrapeId);
  }
  const answered = await Promise.all(scraped.map((id) => read(service, `/v2/scrape/${id}`)));
  const crawl = await startJob(service, CRAWL, { url: web.url('endless.test'), limit: PAGES });

  // Pages are added and removed while the backup is made.
  let isDone = false;
  const load = (async () => {
    for (let number = 0; !isDone; number++) await scrapeHeavy(`/${number % 10}`);
  })();
  const made = await trawl(service.dataDir, 'backup', BACKUP).finally(() => {
    isDone = true;
  });
  await load;
  assert.equal(made.code, 0, made.error);
  assert.match(made.out, /complete/);
  assert.match(made.out, /the secret that encrypts and signs included/);
  assert.deepEqual(readdirSync(folder), ['backup'], 'something was left beside the backup');
  assert.equal(statSync(BACKUP).mode & 0o077, 0, 'others can read the backup');

  const restored = join(folder, 'restored');
  const put = await trawl(restored, 'restore', BACKUP);
  assert.equal(put.code, 0, put.error);
  const second = await startServiceWith(web, { TRAWL_DATA_DIR: restored, TRAWL_API_KEY: 'unused-key' });
  try {
    // The key of the first service is valid in the second.
    const asFirst = {
      ...second,
      fetch: (path: string) =>
        fetch(new URL(path, second.url), { headers: { authorization: `Bearer ${service.key}` } }),
    };
    for (const [index, id] of scraped.entries()) {
      const { status, body } = await read(asFirst, `/v2/scrape/${id}`);
      assert.equal(status, 200);
      assert.deepEqual(body, answered[index]!.body);
    }
    assert.deepEqual((await endedJob(asFirst, BATCH, batch.id)).documents, batch.documents);
    const ended = await endedJob(asFirst, CRAWL, crawl);
    assert.equal(ended.status.status, 'completed');
    assert.equal(new Set(ended.documents.map(({ metadata }) => metadata.sourceURL)).size, PAGES);
  } finally {
    await second.stop();
  }
});

test('the doctor examines the folder of a running service, in words and as JSON', async () => {
  const { code, out, error } = await trawl(service.dataDir, 'doctor', '--json');
  assert.equal(code, 0, out + error);
  const { ok, checks } = JSON.parse(out) as { ok: boolean; checks: { check: string; state: string; text: string }[] };
  assert.equal(ok, true);
  const byName = new Map(checks.map((finding) => [finding.check, finding]));
  for (const name of ['versions', 'data folder', 'secret', 'disk', 'store version', 'store', 'blobs', 'clock', 'index'])
    assert.equal(byName.get(name)?.state, 'ok', `${name}: ${out}`);
  for (const name of ['browser', 'OCR', 'media', 'confinement', 'providers', 'network'])
    assert.ok(byName.has(name), name);
  assert.match(byName.get('service')!.text, /^a service is using/);

  const damaged = mkdtempSync(join(folder, 'damaged-'));
  writeFileSync(join(damaged, 'store.db'), 'not a database '.repeat(1_000));
  const found = await trawl(damaged, 'doctor');
  assert.equal(found.code, 1);
  assert.match(found.out, /FAIL {2}store +.*store\.db cannot be read \(file is not a database\)\n +Stop the service/);
  const start = await trawl(damaged);
  assert.equal(start.code, 1);
  assert.match(start.error, /store\.db cannot be opened \(file is not a database\)\. Run `trawl doctor`/);
  rmSync(damaged, { recursive: true });
  assert.match((await trawl(service.dataDir, 'doctor', '--wrong')).error, /^There is no flag --wrong/);
});

test('a backup overwrites nothing, and a restore takes only an empty folder', async () => {
  assert.match((await trawl(service.dataDir, 'backup', BACKUP)).error, /exists already/);
  const busy = await trawl(service.dataDir, 'restore', BACKUP);
  assert.equal(busy.code, 1);
  assert.match(busy.error, /is not empty\. Stop the service/);
  assert.match((await trawl(join(folder, 'none'), 'backup', join(folder, 'other'))).error, /nothing to back up/);
  assert.match((await trawl(service.dataDir, 'backup')).error, /^Usage: trawl backup/);
});

test('a damaged backup is refused and leaves nothing behind', async () => {
  const target = join(folder, 'target');
  const refused = async (words: RegExp) => {
    const { code, error } = await trawl(target, 'restore', BACKUP);
    assert.equal(code, 1);
    assert.match(error, words);
    assert.ok(!existsSync(target));
  };
  const store = join(BACKUP, 'store.db');
  const whole = readFileSync(store);
  appendFileSync(store, 'x');
  await refused(/store\.db is damaged: its checksum/);
  rmSync(store);
  await refused(/store\.db cannot be read \(ENOENT\)/);
  writeFileSync(store, whole);
  const list = join(BACKUP, 'manifest.json');
  const manifest = JSON.parse(readFileSync(list, 'utf8'));
  writeFileSync(list, JSON.stringify({ ...manifest, schema: 9_999 }));
  await refused(/newer version of Trawl/);
  writeFileSync(list, JSON.stringify({ ...manifest, files: [{ ...manifest.files[0], path: '../../outside' }] }));
  await refused(/damaged or of another version/);
  assert.deepEqual(readdirSync(folder).sort(), ['backup', 'restored']);
});

// A service with pages that hardly get smaller when they are compressed, the commands that back its folder up, and what must
// be in a backup.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { BATCH, CRAWL, endedJob, read, runBatch, startJob } from './jobs.ts';
import { type Ended, runTrawl } from './run-trawl.ts';
import type { RunningService } from './service.ts';
import { startServiceHereWith } from './service-here.ts';
import { page, type Site, send } from './web/reply.ts';
import { startWeb, type Web } from './web.ts';

const siteOf = (pages: number): Site => ({
  '/*': (exchange) => {
    const links = Array.from({ length: pages }, (_, number) => `<a href="/${number}">${number}</a>`);
    const ballast = `<!-- ${randomBytes(100_000).toString('base64')} -->`;
    send(exchange, page(`Page ${exchange.tail}`, `<p>About ${exchange.tail}.</p>${links.join(' ')}${ballast}`));
  },
});

export interface BackupScene {
  web: Web;
  service: RunningService;
  /** Data folder of the service. */
  dataDir: string;
  /** Holds nothing but backups and what is restored from them. */
  folder: string;
  /** Made by `checkBackup`. */
  backup: string;
  /** `pages` of the site. */
  pages: number;
}

export const trawl = (dataDir: string, ...args: string[]): Promise<Ended> =>
  runTrawl(args, { env: { TRAWL_DATA_DIR: dataDir } });

export function useBackups(pages: number): BackupScene {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-backup-'));
  const scene = { folder, backup: join(folder, 'backup'), pages } as BackupScene;
  before(async () => {
    scene.web = await startWeb({ 'endless.test': siteOf(pages) });
    scene.service = await startServiceHereWith(scene.web);
    scene.dataDir = scene.service.dataDir;
  });
  after(async () => {
    await scene.service?.stop();
    await scene.web?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return scene;
}

/** Makes a backup while the service works, and reads from it what was answered before it began. */
export async function checkBackup({ web, service, dataDir, folder, backup, pages }: BackupScene): Promise<void> {
  const scrapeHeavy = (path: string) =>
    service.scrape<{ data: { metadata: { scrapeId: string } } }>({
      url: web.url('endless.test', path),
      formats: ['rawHtml', 'markdown'],
      maxAge: 0,
    });
  const urls = [1, 2, 3].map((number) => web.url('endless.test', `/${number}`));
  const batch = await runBatch(service, { urls, formats: ['rawHtml'] });
  const scraped: string[] = [];
  for (let number = 0; number < 5; number++) {
    scraped.push((await scrapeHeavy(`/${number}`)).body.data.metadata.scrapeId);
  }
  const answered = await Promise.all(scraped.map((id) => read(service, `/v2/scrape/${id}`)));
  const crawl = await startJob(service, CRAWL, { url: web.url('endless.test'), limit: pages });

  // Pages are added and removed while the backup is made; a slow machine is not kept busy for as long as it takes.
  let isDone = false;
  const load = (async () => {
    for (let number = 0; !isDone && number < pages; number++) await scrapeHeavy(`/${number % 10}`);
  })();
  const made = await trawl(dataDir, 'backup', backup).finally(() => {
    isDone = true;
  });
  await load;
  assert.equal(made.code, 0, made.err);
  assert.match(made.out, /complete/);
  assert.match(made.out, /the secret that encrypts and signs included/);
  assert.deepEqual(readdirSync(folder), ['backup'], 'something was left beside the backup');
  assert.equal(statSync(backup).mode & 0o077, 0, 'others can read the backup');

  const restored = join(folder, 'restored');
  const put = await trawl(restored, 'restore', backup);
  assert.equal(put.code, 0, put.err);
  const settings = { TRAWL_DATA_DIR: restored, TRAWL_AUTH: 'required', TRAWL_API_KEY: 'unused-key' };
  const second = await startServiceHereWith(web, settings);
  try {
    // The key of the first service is valid in the second.
    const headers = { authorization: `Bearer ${service.key}` };
    const asFirst = { ...second, fetch: (path: string) => fetch(new URL(path, second.url), { headers }) };
    for (const [index, id] of scraped.entries()) {
      const { status, body } = await read(asFirst, `/v2/scrape/${id}`);
      assert.equal(status, 200);
      assert.deepEqual(body, answered[index]!.body);
    }
    assert.deepEqual((await endedJob(asFirst, BATCH, batch.id)).documents, batch.documents);
    const ended = await endedJob(asFirst, CRAWL, crawl);
    assert.equal(ended.status.status, 'completed');
    assert.equal(new Set(ended.documents.map(({ metadata }) => metadata.sourceURL)).size, pages);
  } finally {
    await second.stop();
  }
}

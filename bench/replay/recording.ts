// A recording: the data folder of a service after a warm-up, and the calls of its threads during a crawl from then on.
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningProgram, startService } from '../../test/support/service.ts';
import { createCrawlClient } from '../crawl/crawl-client.ts';
import { RESULTS } from '../report.ts';
import { startSite } from '../site/site.ts';

export interface Recording {
  /** Has the data folder, and a file of calls for each thread. */
  folder: string;
  /** Where the data folder was: settings name it. */
  dataDir: string;
  /** What came before was warm-up. In milliseconds since 1970. */
  startedAt: number;
  /** Pages from then on. */
  pages: number;
}

const HOST = 'crawl.test';
const WARM_UP = 200;
const LOOK_EVERY_MS = 500;
const FOLDER = join(RESULTS, 'recording');
const FACTS = 'recording.json';

/** A recording stays, so that versions can be compared from one day to the next: delete it to make a new one. */
export async function findRecording(pages: number, concurrency: number): Promise<Recording> {
  if (!existsSync(FOLDER)) await record(pages, concurrency);
  return JSON.parse(readFileSync(join(FOLDER, FACTS), 'utf8'));
}

async function record(pages: number, concurrency: number): Promise<void> {
  console.log(`  recording a crawl of ${pages} pages`);
  const folder = `${FOLDER}.new`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const site = await startSite('crawl', pages);
  const dataDir = await mkdtemp(join(tmpdir(), 'trawl-recorded-'));
  const settings = {
    ...site.settings,
    TRAWL_ALLOW_NETWORKS: `${site.settings.TRAWL_ALLOW_NETWORKS},${HOST}`,
    TRAWL_DATA_DIR: dataDir,
  };
  const crawl = async (service: RunningProgram, limit: number) => {
    const client = createCrawlClient(service);
    const request = { url: site.url(HOST, '/'), limit, maxConcurrency: concurrency, scrapeOptions: { maxAge: 0 } };
    const path = await client.start(request);
    while ((await client.state(path)).status === 'scraping') await sleep(LOOK_EVERY_MS);
    await client.close();
  };
  try {
    const first = await startService(settings, { checkAnswers: false });
    // The folder is copied when nothing is written to it.
    await crawl(first, WARM_UP).finally(first.stop);
    cpSync(dataDir, join(folder, 'data'), { recursive: true });
    const imports = [join(import.meta.dirname, 'record-calls.ts')];
    const recorded = { ...settings, TRAWL_BENCH_RECORD: folder };
    const second = await startService(recorded, { checkAnswers: false, key: first.key, imports });
    try {
      await crawl(second, WARM_UP);
      const startedAt = Date.now();
      await crawl(second, pages);
      const facts: Recording = { folder: FOLDER, dataDir, startedAt, pages };
      writeFileSync(join(folder, FACTS), JSON.stringify(facts));
    } finally {
      await second.stop();
    }
    renameSync(folder, FOLDER);
  } finally {
    await site.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

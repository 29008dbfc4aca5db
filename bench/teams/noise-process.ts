// The team with limits: sends scrapes again and again, whatever it is answered, and crawls. A process of its own with a low
// priority, so that it does not take the processor from what is measured. Argument: NoiseSettings as JSON.
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';

export interface NoiseSettings {
  /** URL of the service. */
  url: string;
  key: string;
  /** The front page of the site. */
  page: string;
  concurrency: number;
}

export interface NoiseReport {
  served: number;
  refused: number;
  crawled: number;
}

const LOWEST_PRIORITY = 19;
/** The sender of a request that was refused for another reason, such as a broken connection, pauses. */
const PAUSE_MS = 100;
/** Ends by itself if nobody cancels it. */
const CRAWL_PAGES = 2_000;

const { url, key, page, concurrency } = JSON.parse(process.argv[2]!) as NoiseSettings;
const pool = new Pool(url, { connections: concurrency + 1 });
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
const report: NoiseReport = { served: 0, refused: 0, crawled: 0 };

async function call(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) {
  const answer = await pool.request({ method, path, headers, body: body && JSON.stringify(body) });
  return { status: answer.statusCode, text: await answer.body.text() };
}

async function flood(isOver: () => boolean): Promise<void> {
  for (let n = 0; !isOver(); n += 1) {
    const target = new URL(`/article/${n % 500}`, page).href;
    const answered = await call('POST', '/v2/scrape', { url: target, formats: ['markdown'], maxAge: 0 }).catch(
      () => undefined,
    );
    if (answered?.status === 200) report.served += 1;
    else if (answered?.status === 429) report.refused += 1;
    else await sleep(PAUSE_MS);
  }
}

function makeNoise() {
  let isOver = false;
  const crawl = call('POST', '/v2/crawl', { url: page, limit: CRAWL_PAGES, scrapeOptions: { maxAge: 0 } });
  const floods = Array.from({ length: concurrency }, () => flood(() => isOver));
  return async () => {
    const { id } = JSON.parse((await crawl).text) as { id?: string };
    const path = `/v2/crawl/${id}`;
    const { completed = 0 } = JSON.parse((await call('GET', `${path}?limit=1`)).text) as { completed?: number };
    report.crawled += completed;
    await call('DELETE', path);
    isOver = true;
    await Promise.all(floods);
  };
}

setPriority(LOWEST_PRIORITY);
let end = async () => {};
process.on('disconnect', () => process.exit());
process.on('message', async (message) => {
  if (message === 'start') end = makeNoise();
  else await end();
  process.send!(message === 'end' ? report : 'done');
});
process.send!('ready');

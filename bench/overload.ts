// More requests than the service can serve: 500 at once, 1,500 in all, for pages that take 3 s, with timeouts of 4 s.
// Goodput is compared with what the same slots could have served in the same time without any waiting.
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { type RunningProgram, startService } from '../test/support/service.ts';
import { load } from './measure.ts';
import { type BenchOptions, percentile, type Row } from './report.ts';
import { type BenchSite, startSite } from './site/site.ts';

const AT_ONCE = 500;
const PAGE_MS = 3_000;
const TIMEOUT_MS = 4_000;
/** The default of TRAWL_MAX_CONCURRENCY. */
const SLOTS = 64;
const WARM_UP = 200;

/** What clients do after a refusal: the worst ones send the next request at once, the others wait as they were told. */
type Manners = 'at once' | 'Retry-After';

interface Load {
  count: number;
  scale: number;
}

interface Answer {
  status: number;
  ms: number;
  endedAt: number;
}

export async function overload({ count = 1_500, scale }: BenchOptions): Promise<Row[]> {
  const site = await startSite('slow', PAGE_MS * scale);
  try {
    const load = { count, scale };
    return [...(await measure(site, load, 'at once')), ...(await measure(site, load, 'Retry-After'))];
  } finally {
    await site.stop();
  }
}

async function measure(site: BenchSite, load: Load, manners: Manners): Promise<Row[]> {
  const service = await startService(
    { ...site.settings, TRAWL_MAX_CONCURRENCY: String(SLOTS) },
    { checkAnswers: false },
  );
  try {
    const answers = await ask(service, site, load, manners);
    return rowsOf(answers, PAGE_MS * load.scale, `again: ${manners}`);
  } finally {
    await service.stop();
  }
}

async function ask(
  service: RunningProgram,
  site: BenchSite,
  { count, scale }: Load,
  manners: Manners,
): Promise<Answer[]> {
  const pool = new Pool(service.url, { connections: AT_ONCE });
  const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' };
  const scrape = async (url: string, timeout?: number) => {
    const body = JSON.stringify({ url, formats: ['markdown'], maxAge: 0, timeout });
    const answer = await pool.request({ method: 'POST', path: '/v2/scrape', headers, body });
    await answer.body.dump();
    return answer;
  };
  // A service that runs already, but has never seen the site.
  await load(WARM_UP, 8, async (n) => void (await scrape(site.url('quick.test', `/quick/${n}`))));
  const answers: Answer[] = [];
  const start = performance.now();
  await load(count, AT_ONCE, async (n) => {
    const began = performance.now();
    const answer = await scrape(site.url('slow.test', `/page/${n}`), TIMEOUT_MS * scale);
    const now = performance.now();
    answers.push({ status: answer.statusCode, ms: now - began, endedAt: now - start });
    const retryAfter = Number(answer.headers['retry-after'] ?? 0);
    if (manners === 'Retry-After') await sleep(retryAfter * 1_000);
  });
  await pool.close();
  return answers;
}

function rowsOf(answers: Answer[], pageMs: number, system: string): Row[] {
  const served = answers.filter(({ status }) => status === 200);
  const seconds = Math.max(...answers.map(({ endedAt }) => endedAt)) / 1_000;
  const capacity = Math.floor((SLOTS * seconds * 1_000) / pageMs);
  const times = (status: number) => answers.filter((answer) => answer.status === status).map(({ ms }) => ms);
  const refusals = times(429);
  return [
    { measure: 'requests', value: answers.length, unit: '' },
    { measure: 'duration', value: seconds, unit: 's' },
    { measure: 'served (200)', value: served.length, unit: '' },
    { measure: 'refused (429)', value: refusals.length, unit: '' },
    { measure: 'timed out (408)', value: times(408).length, unit: '' },
    { measure: 'could have been served', value: capacity, unit: '' },
    { measure: 'goodput', value: (100 * served.length) / capacity, unit: '%', aim: '>= 80' },
    ...(refusals.length > 0 ? [{ measure: 'refusal, p50', value: percentile(refusals, 0.5), unit: 'ms' }] : []),
  ].map((row) => ({ ...row, system }));
}

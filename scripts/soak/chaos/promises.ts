// What the service has answered, and therefore must still know: scrapes, files behind links, jobs with all of their pages.
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { webhookProblems } from '../../../test/kill/differences.ts';
import type { JobKind, SeenDocument } from '../../../test/kill/job-client.ts';
import type { Problems } from './problems.ts';
import type { Sites } from './sites.ts';
import type { World } from './world.ts';

export interface PromisedJob {
  kind: JobKind;
  id: string;
  /** The pages that it must have in the end, each once. */
  urls: readonly string[];
  /** The name of its webhook. */
  hook: string;
  isCancelled?: boolean;
}

export interface Promises {
  scrape(step: string, id: string, text: string): void;
  /** A link, and the size of the file behind it. */
  file(step: string, path: string, bytes: number): void;
  job(step: string, job: PromisedJob): void;
  /** URLs of pages whose changes were tracked: the next look must know the last one. */
  looks: Set<string>;
  /** Waits for running jobs to end, then asks for everything again. Ended jobs are checked once. */
  check(phase: string): Promise<void>;
}

const JOB_PATHS: Record<JobKind, string> = { crawl: '/v2/crawl', batch_scrape: '/v2/batch/scrape' };
const JOB_MS = 180_000;
const POLL_MS = 250;
/** Each phase asks for this many of all scrapes and files. The last check asks for all. */
const SAMPLE = 60;

export const textHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

export function createPromises(world: World, sites: Sites, problems: Problems): Promises {
  const scrapes: { step: string; id: string; hash: string; diskFulls: number }[] = [];
  const files: { step: string; path: string; bytes: number; diskFulls: number }[] = [];
  let jobs: { step: string; job: PromisedJob }[] = [];

  /** On a full disk, old results and files make room for new ones. */
  const mayBeEvicted = ({ diskFulls }: { diskFulls: number }): boolean => diskFulls < world.diskFulls;

  async function checkScrape(promised: (typeof scrapes)[number]): Promise<void> {
    const { step, id, hash } = promised;
    const reply = await world.call(step, `/v2/scrape/${id}`);
    if (!reply) return;
    if (reply.status === 404 && mayBeEvicted(promised)) return problems.count('check', 'scrape', 'evicted');
    const { markdown } = (reply.body.data ?? {}) as { markdown?: string };
    if (reply.status !== 200) problems.add(step, `An answered scrape is lost: ${reply.status} ${reply.body.code}`);
    else if (textHash(markdown ?? '') !== hash) problems.add(step, 'An answered scrape has another text now.');
    problems.count('check', 'scrape', String(reply.status));
  }

  async function checkFile(promised: (typeof files)[number]): Promise<void> {
    const { step, path, bytes } = promised;
    const service = await world.service();
    const response = await fetch(new URL(path, service.url)).catch(() => undefined);
    const size = (await response?.arrayBuffer().catch(() => undefined))?.byteLength;
    if (!response) return;
    if (response.status === 404 && mayBeEvicted(promised)) return problems.count('check', 'file', 'evicted');
    if (response.status !== 200) problems.add(step, `An answered file is lost: ${response.status}`);
    else if (size !== bytes) problems.add(step, 'An answered file has another size now.');
    problems.count('check', 'file', String(response.status));
  }

  async function endOf(step: string, { kind, id }: PromisedJob): Promise<{ status: string; credits?: number }> {
    for (const end = performance.now() + JOB_MS; performance.now() < end; await delay(POLL_MS)) {
      const reply = await world.call(step, `${JOB_PATHS[kind]}/${id}?limit=1`);
      if (!reply) continue;
      if (reply.status !== 200) return { status: `lost (${reply.status} ${reply.body.code})` };
      const { status, creditsUsed } = reply.body;
      if (status !== 'scraping') return { status: String(status), credits: Number(creditsUsed) };
    }
    return { status: 'still running' };
  }

  async function documentsOf(step: string, { kind, id }: PromisedJob): Promise<SeenDocument[]> {
    const documents: SeenDocument[] = [];
    for (;;) {
      const reply = await world.call(step, `${JOB_PATHS[kind]}/${id}?skip=${documents.length}`);
      const data = (reply?.body.data ?? []) as {
        markdown?: string;
        metadata: { sourceURL: string; scrapeId: string };
      }[];
      if (data.length === 0) return documents;
      for (const { markdown = '', metadata } of data)
        documents.push({ url: metadata.sourceURL, scrapeId: metadata.scrapeId, text: textHash(markdown) });
    }
  }

  async function checkJob({ step, job }: (typeof jobs)[number]): Promise<void> {
    const { kind, urls, hook, isCancelled } = job;
    const { status, credits } = await endOf(step, job);
    problems.count('check', kind, status);
    const isExpected = status === 'completed' || (isCancelled && status === 'cancelled');
    if (!isExpected) {
      problems.add(step, `A ${kind} is ${status}.`);
      return;
    }
    const documents = await documentsOf(step, job);
    const given = documents.map(({ url }) => url);
    const twice = given.filter((url, at) => given.indexOf(url) < at).length;
    if (twice > 0) problems.add(step, `A ${kind} has pages twice.`);
    if (credits !== documents.length)
      problems.add(step, `A ${kind} billed ${credits} credits for ${documents.length} pages.`);
    if (isCancelled) return;
    const missing = urls.filter((url) => !given.includes(url));
    if (missing.length > 0) problems.add(step, `A ${kind} lacks pages: ${await errorsOf(step, job)}`);
    if (given.some((url) => !urls.includes(url))) problems.add(step, `A ${kind} has pages that it should not have.`);
    for (let waited = 0; waited < JOB_MS && !hasLastCall(hook, kind, status); waited += POLL_MS) await delay(POLL_MS);
    for (const problem of webhookProblems({ kind, calls: sites.calls(hook), documents }).slice(0, 1))
      problems.add(step, `Webhooks of a ${kind}: ${problem.replaceAll(/[\da-f-]{36}/g, 'ID')}`);
  }

  const hasLastCall = (hook: string, kind: JobKind, status: string): boolean =>
    sites.calls(hook).some((body) => body.includes(`"type":"${kind}.${status}"`));

  async function errorsOf(step: string, { kind, id }: PromisedJob): Promise<string> {
    const reply = await world.call(step, `${JOB_PATHS[kind]}/${id}/errors`);
    const errors = (reply?.body.errors ?? []) as { code?: string; error?: string }[];
    return (
      [...new Set(errors.map(({ code, error }) => `${code} ${error}`))].join('; ').slice(0, 200) || 'no errors listed'
    );
  }

  const newest = <T>(list: readonly T[], isAll: boolean): readonly T[] =>
    isAll ? list : [...list.slice(0, SAMPLE / 2), ...list.slice(SAMPLE / 2).slice(-SAMPLE / 2)];

  return {
    scrape: (step, id, text) => void scrapes.push({ step, id, hash: textHash(text), diskFulls: world.diskFulls }),
    file: (step, path, bytes) => void files.push({ step, path, bytes, diskFulls: world.diskFulls }),
    job: (step, job) => void jobs.push({ step, job }),
    looks: new Set(),
    async check(phase) {
      const isLast = phase === 'the end';
      const due = jobs;
      jobs = [];
      for (const each of due) await checkJob(each);
      for (const each of newest(scrapes, isLast)) await checkScrape(each);
      for (const each of newest(files, isLast)) await checkFile(each);
    },
  };
}

// Jobs, tasks and their outcomes, for the conformance suites of the job ports.
import assert from 'node:assert/strict';
import { WEBHOOK_EVENTS, type WebhookTarget } from '../../src/contracts/webhooks/webhook.ts';
import type { TextFingerprint } from '../../src/page/page.ts';
import type {
  Claim,
  ClaimedTask,
  ClaimRequest,
  DonePage,
  Finished,
  NewTask,
  TaskOutcome,
} from '../../src/store/ports/jobs/job-queue.ts';
import type { NewJob } from '../../src/store/ports/jobs/job-store.ts';
import type { Store } from '../../src/store/ports/store.ts';
import { uuidv7 } from '../../src/util/ids.ts';
import { MINUTE, START, sampleFingerprint, sampleResult } from './samples.ts';

export const OWNER = 'worker 1';

export const sampleTask = (path: string, task: Partial<NewTask> = {}): NewTask => ({
  kind: 'page',
  url: `http://site.test${path}`,
  key: `site.test${path}`,
  host: 'site.test',
  depth: 0,
  steps: 0,
  pattern: '',
  chained: false,
  ...task,
});

export const onHost = (host: string, path: string): NewTask =>
  sampleTask(path, { url: `http://${host}${path}`, key: `${host}${path}`, host });

export const kickOff: NewTask = sampleTask('/', { kind: 'kick-off', key: 'kick-off' });

export const byRobots = (path: string): NewTask => sampleTask(path, { refused: { by: 'robots' } });
export const byScope = (path: string): NewTask =>
  sampleTask(path, { refused: { by: 'scope', code: 'EXTERNAL_LINK', message: 'Not followed.' } });

export const webhookFor = (...events: WebhookTarget['events']): WebhookTarget => ({
  url: 'http://hooks.test/in',
  headers: { 'x-token': 'secret' },
  metadata: { order: '17' },
  events: events.length > 0 ? events : [...WEBHOOK_EVENTS],
});

export const sampleJob = (teamId: string, job: Partial<NewJob> = {}): NewJob => ({
  id: uuidv7(START),
  teamId,
  kind: 'crawl',
  url: 'http://site.test/',
  options: { url: 'http://site.test/', scrapeOptions: { formats: [] } },
  limit: 100,
  zeroDataRetention: false,
  createdAt: START,
  maxUnfinished: 100,
  tasks: [sampleTask('/')],
  ...job,
});

export interface Running {
  store: Store;
  teamId: string;
  id: string;
}

/** Adds a team with one job. */
export async function startJob(store: Store, job: Partial<NewJob> = {}): Promise<Running> {
  const { id: teamId } = await store.teams.ensureTeam('default', START);
  const added = sampleJob(teamId, job);
  assert.equal(await store.jobs.add(added), 'added');
  return { store, teamId, id: added.id };
}

export const claimRequest = (jobId: string, request: Partial<ClaimRequest> = {}): ClaimRequest => ({
  owner: OWNER,
  jobId,
  slots: 1,
  hostSlots: {},
  otherHostSlots: 1_000,
  now: START,
  leaseUntil: START + MINUTE,
  ...request,
});

export const claim = ({ store, id }: Running, request: Partial<ClaimRequest> = {}): Promise<Claim> =>
  store.queue.claim(claimRequest(id, request));

export const claimedPaths = (tasks: ClaimedTask[]): string[] =>
  tasks.map(({ url }) => url.replace('http://site.test', ''));

/** Claims the next task, which must exist. */
export async function claimOne(running: Running, request: Partial<ClaimRequest> = {}): Promise<ClaimedTask> {
  const { tasks } = await claim(running, request);
  assert.equal(tasks.length, 1, 'a task can be claimed');
  return tasks[0]!;
}

export interface PageSketch extends Partial<DonePage> {
  text?: string;
  links?: NewTask[];
}

/** A page found at its own address, with a distinct text unless one is given. */
export function donePage(task: ClaimedTask, { text = task.url, links = [], ...page }: PageSketch = {}): TaskOutcome {
  const scrapeId = uuidv7(START);
  return {
    state: 'done',
    page: {
      scrapeId,
      finalKey: task.key,
      group: page.finalKey ?? task.key,
      fingerprint: sampleFingerprint(text),
      metadata: { sourceURL: task.url, url: task.url, statusCode: 200, scrapeId },
      toStore: { result: sampleResult(text) },
      credits: 1,
      ...page,
    },
    links,
  };
}

export const failure = (message = 'The site is down.', credits = 0): TaskOutcome => ({
  state: 'failed',
  scrapeId: uuidv7(START),
  code: 'SCRAPE_SITE_ERROR',
  message,
  credits,
});

export const finish = (
  { store }: Running,
  task: ClaimedTask,
  outcome: TaskOutcome,
  now: number = START,
): Promise<Finished> => finishAs(store, OWNER, task, outcome, now);

export async function finishAs(
  store: Store,
  owner: string,
  { id }: Pick<ClaimedTask, 'id'>,
  outcome: TaskOutcome,
  now: number = START,
): Promise<Finished> {
  const [finished] = await store.queue.finish(owner, [{ id, outcome }], now);
  return finished!;
}

/** Claims the next task, which must be for this path, and finishes it as a completed page. */
export async function completePage(
  running: Running,
  path: string,
  sketch: PageSketch = {},
  now: number = START,
): Promise<Finished> {
  const task = await claimOne(running, { now });
  assert.equal(task.url, `http://site.test${path}`);
  return finish(running, task, donePage(task, sketch), now);
}

export async function viewOf({ store, id, teamId }: Running, now: number = START) {
  const view = await store.jobs.view(id, teamId, now);
  assert.ok(view, 'the job exists');
  return view;
}

/** The counters of a job, and the load of its team. */
export async function countersOf(running: Running) {
  const { status, total, completed, failed, blocked, credits } = await viewOf(running);
  const { active, waiting } = await running.store.queue.load(running.teamId);
  return { status, total, completed, failed, blocked, credits, active, waiting };
}

interface Result {
  markdown: string;
  warning?: string;
  metadata: { sourceURL: string };
}

export async function documentsOf({ store, id }: Running, skip = 0, limit = 1_000_000): Promise<Result[]> {
  const { count, json } = await store.jobs.results(id, { skip, limit, maxBytes: 1e9 });
  const documents = JSON.parse(`[${new TextDecoder().decode(json)}]`) as Result[];
  assert.equal(documents.length, count);
  return documents;
}

export const resultPaths = async (running: Running): Promise<string[]> =>
  (await documentsOf(running)).map(({ metadata }) => metadata.sourceURL.replace('http://site.test', ''));

/** A fingerprint whose SimHash differs in this many bits. */
export function nearFingerprint(fingerprint: TextFingerprint, bits: number, exact: string): TextFingerprint {
  const simhash = BigInt(`0x${fingerprint.simhash}`) ^ ((1n << BigInt(bits)) - 1n);
  return { ...sampleFingerprint(exact), simhash: simhash.toString(16).padStart(16, '0') };
}

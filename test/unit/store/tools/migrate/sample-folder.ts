// A data folder with something in every table that callers fill, and what the store answers about it.
import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import type { Store } from '../../../../../src/store/ports/store.ts';
import { openSqliteStore } from '../../../../../src/store/sqlite/sqlite-store.ts';
import {
  claimOne,
  completePage,
  failure,
  finish,
  sampleTask,
  startJob,
  webhookFor,
} from '../../../../conformance/job-samples.ts';
import { checkOf, sampleMonitor } from '../../../../conformance/monitors.ts';
import { sampleRun } from '../../../../conformance/runs.ts';
import {
  DAY,
  HOUR,
  MINUTE,
  noise,
  pageToStore,
  queryFor,
  START,
  sampleCharge,
  samplePage,
  sampleResult,
  sampleScrape,
} from '../../../../conformance/samples.ts';

export interface SampleFolder {
  teamId: string;
  jobs: string[];
  runs: string[];
  monitor: string;
  check: string;
}

const LARGE = Buffer.from(noise(200_000)).toString('latin1');
const PAGES = 30;

export async function fillFolder(dataDir: string, secret: Uint8Array): Promise<SampleFolder> {
  const store = await openSqliteStore({ dataDir, secret, cacheMaxBytes: 1e9 });
  try {
    const { id: teamId } = await store.teams.ensureTeam('default', START);
    await store.teams.addKey({ hash: 'hash', prefix: 'fc-1', team: 'default' }, { actor: 'operator', at: START });
    const jobs = await addJobs(store);
    await addPages(store, teamId);
    return { teamId, jobs, ...(await addRuns(store, teamId)) };
  } finally {
    await store.close();
  }
}

/** One that has ended, and one with pages that wait and a task with a key that is too long for an index. */
async function addJobs(store: Store): Promise<string[]> {
  const paths = Array.from({ length: PAGES }, (_, at) => `/${at}`);
  const done = await startJob(store, { webhook: webhookFor(), tasks: paths.map((path) => sampleTask(path)) });
  for (const path of paths)
    await completePage(done, path, { text: `${path} ${LARGE.slice(0, Number(path.slice(1)) * 9_000)}` });
  const long = sampleTask(`/${'x'.repeat(5_000)}`);
  const open = await startJob(store, {
    webhook: webhookFor(),
    tasks: [sampleTask('/a'), sampleTask('/b\u0000'), long],
  });
  await finish(open, await claimOne(open), failure('Down\u0000.'));
  for (let sent = 0; sent < 3; sent++) {
    const [call] = await store.deliveries.due(START + sent, 1);
    await store.deliveries.settle(call!.id, 'delivered', { at: START + sent, statusCode: 200 });
  }
  return [done.id, open.id];
}

async function addPages(store: Store, teamId: string): Promise<void> {
  const url = 'http://site.test/';
  const page = pageToStore('large', url, samplePage(LARGE), null, sampleResult('large'));
  const entry = new TextEncoder().encode(JSON.stringify({ text: 'ü' }));
  await store.pages.save({ ...page, page: { ...page.page, entry } });
  const look = { key: 'history', url, at: START, version: noise(100_000) };
  await store.scrapes.add(sampleCharge(teamId), sampleScrape(teamId, { result: sampleResult('one') }, { look }));
  const file = { id: 'file', type: 'image/png', createdAt: START, expiresAt: START + DAY };
  await store.files.add({ ...file, bytes: noise(300_000) });
  await store.profiles.write(teamId, 'login', LARGE, START);
}

async function addRuns(store: Store, teamId: string) {
  const event = (type: string) => ({ type, success: true, data: [{ said: 'ü' }] });
  const webhook = { ...webhookFor(), events: ['agent.started', 'agent.completed'] };
  const [ended, waiting] = [sampleRun(teamId, { webhook, events: [event('agent.started')] }), sampleRun(teamId)];
  assert.equal(await store.runs.add(ended), 'added');
  const claim = { slots: 1, teamSlots: 9, now: START, leaseUntil: START + MINUTE };
  await store.runQueue.claim({ owner: 'me', kind: 'agent', ...claim });
  await store.runQueue.beginStep('me', ended.id, { key: 'k', name: 'scrape', input: { LARGE } }, START);
  const events = [event('agent.completed')];
  await store.runQueue.end('me', ended.id, { status: 'completed', result: { LARGE }, credits: 3, events }, START);
  assert.equal(await store.runs.add(waiting), 'added');

  const monitor = sampleMonitor(teamId);
  await store.monitors.add(monitor);
  const check = checkOf(monitor);
  await store.monitors.startNow(check);
  const [{ id: targetId } = assert.fail()] = monitor.definition.targets;
  const details = { metadata: null, diff: { text: 'd'.repeat(9_000) }, snapshot: null, judgment: null };
  const page = { targetId, url: 'http://site.test/' };
  await store.monitors.savePages(
    check.id,
    [{ ...page, id: 'checked', status: 'changed', createdAt: START, details }],
    [{ ...page, scrapeId: 'scrape', isGone: false, seenAt: START, version: { markdown: LARGE } }],
  );
  const [ann] = await store.mails.subscribe(teamId, [{ email: 'ann@example.org', isTrusted: true }]);
  const content = { subject: 'Changed', text: 'text', html: '<p>text</p>', headers: {} };
  await store.mails.queue([{ key: 'k', messageId: 'm', subscription: ann!.number, content }], START);
  return { runs: [ended.id, waiting.id], monitor: monitor.id, check: check.id };
}

/** What a store says about all of it. */
export async function answersOf(store: Store, { teamId, jobs, runs, monitor, check }: SampleFolder): Promise<unknown> {
  const now = START + 1;
  const found = (await store.monitors.find(monitor, teamId, now))!;
  const [{ id: target } = assert.fail()] = found.definition.targets;
  const documents = async (id: string) => {
    const { json, count } = await store.jobs.results(id, { skip: 0, limit: 100, maxBytes: 1e9 });
    return [count, new TextDecoder().decode(json)];
  };
  const file = await store.files.find('file', now);
  const cached = await store.pages.find(queryFor('large', { transformKey: 'other' }));
  return {
    teams: [await store.teams.listTeams(), await store.teams.listKeys()],
    used: await store.ledger.usage(teamId, { from: START, until: START + HOUR, binMs: HOUR }),
    audit: await store.audit.list({ limit: 10 }),
    jobs: await Promise.all(jobs.map(async (id) => [await store.jobs.view(id, teamId, now), await documents(id)])),
    runs: await Promise.all(
      runs.map(async (id) => [await store.runs.view(id, teamId, now), await store.runs.steps(id)]),
    ),
    calls: await store.deliveryLog.list({ teamId, limit: 1_000 }),
    monitor: [found, await store.monitors.knownVersion(monitor, target, 'http://site.test/')],
    pages: [await store.monitors.pages(check, { limit: 10, skip: 0 }), await store.monitors.countPages(check)],
    recipient: await store.mails.find(1),
    scrape: await store.scrapes.find('scrape-1', teamId, now),
    cached: [cached?.header, cached && 'bytes' in cached && Buffer.from(cached.bytes).toString('hex')],
    history: await store.history.find('history'),
    file: file && (await buffer(file.read())).toString('hex'),
    profile: await store.profiles.read(teamId, 'login'),
    entries: (await store.feed.after(0, 100)).map(({ change, url }) => [change, url]),
  };
}

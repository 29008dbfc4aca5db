// For tests of a threat policy: a good, an odd and a forbidden site, and a service with a team that has a policy.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { DEFAULT_THREAT_POLICY } from '../../../src/contracts/threats/threat-protection.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts';
import { NEEDS_BROWSER } from '../browser/browser.ts';
import { read, until } from '../jobs.ts';
import { type Catalogues, startCatalogues } from '../search/catalogues.ts';
import type { Answer, RunningService } from '../service.ts';
import { startServiceHereWith } from '../service-here.ts';
import { asTeam } from '../teams.ts';
import { page, type Site, send } from '../web/reply.ts';
import { startWeb, type Web } from '../web.ts';

export const GOOD = 'good.test';

export const EVIL = 'evil.test';

export const ODD = 'odd.test';

export const TEAM = 'guarded';

export const BLOCKED = [403, 'unsafe_domain_blocked'];

export const TEXT = `<p>${'Gardeners compare ladders of many sizes before they climb a tree. '.repeat(8)}</p>`;

export let web: Web;

export let catalogues: Catalogues;

export let dataDir: string;

/** A team without a policy, and one with it. */
export let free: RunningService;

export let guarded: RunningService;

export const evil = (path = '/') => web.url(EVIL, path);

export const good = (path = '/') => web.url(GOOD, path);

export const goodSite: Site = {
  '/robots.txt': (exchange) => send(exchange, '', { type: 'text/plain' }),
  '/sitemap.xml': (exchange) => send(exchange, '', { status: 404 }),
  '/': (exchange) => {
    const links = ['/plain', '/moved', `${exchange.origin(EVIL)}/article`].map((to) => `<a href="${to}">to ${to}</a>`);
    send(exchange, page('Ladders', `${TEXT}${links.join(' ')}`));
  },
  '/moved': (exchange) => send(exchange, '', { status: 302, headers: { location: `${exchange.origin(EVIL)}/` } }),
  '/refreshed': (exchange) => {
    const refresh = `<meta http-equiv="refresh" content="0; url=${exchange.origin(EVIL)}/">`;
    send(exchange, page('Refreshed', TEXT, refresh));
  },
  '/scripted': (exchange) =>
    send(exchange, page('Scripted', `${TEXT}<script>location.href = '${exchange.origin(EVIL)}/'</script>`)),
  '/framed': (exchange) => send(exchange, page('Framed', `${TEXT}<iframe src="${exchange.origin(EVIL)}/"></iframe>`)),
  '/linked': (exchange) => send(exchange, page('Linked', `${TEXT}<a id="to" href="${exchange.origin(EVIL)}/">go</a>`)),
  /** The first visit gets a page, the others are sent away. */
  '/turned': (exchange) =>
    exchange.visit === 1
      ? send(exchange, page('Turned', TEXT))
      : send(exchange, '', { status: 302, headers: { location: `${exchange.origin(EVIL)}/` } }),
  '/*': (exchange) => send(exchange, page(`Ladders at ${exchange.path}`, TEXT)),
};

/** Everything about the site itself is at the forbidden host. */
export const oddSite: Site = {
  '/robots.txt': (exchange) =>
    send(exchange, '', { status: 301, headers: { location: `${exchange.origin(EVIL)}/robots.txt` } }),
  '/sitemap.xml': (exchange) =>
    send(exchange, '', { status: 301, headers: { location: `${exchange.origin(EVIL)}/sitemap.xml` } }),
  '/*': (exchange) => send(exchange, page('Odd', TEXT)),
};

/** Another text: pages that say the same are one result. */
export const EVIL_TEXT = `<p>${'Thieves sell broken ladders to gardeners, and steal what they keep in sheds at night. '.repeat(8)}</p>`;

export const evilSite: Site = { '/*': (exchange) => send(exchange, page('Broken ladders', EVIL_TEXT)) };

export const answerOf = ({ status, body }: Answer) => [status, body.code];

export const post = (path: string, body: object) => guarded.post<Record<string, unknown>>(path, body);

/** The forbidden host gets nothing while `work` runs. */
export async function untouched<T>(work: () => Promise<T>): Promise<T> {
  const before = web.requests(EVIL);
  const done = await work();
  assert.equal(web.requests(EVIL), before, `requests to ${EVIL}`);
  return done;
}

export async function refuses(path: string, ...bodies: object[]): Promise<void> {
  for (const body of bodies) {
    const answer = await untouched(() => post(path, body));
    assert.deepEqual(answerOf(answer), BLOCKED, JSON.stringify([body, answer.body]));
    assert.match(String(answer.body.error), /blacklist: evil\.test/);
  }
}

/** Ends with whatever came of it, without a request to the forbidden host. */
export async function runs(path: string, body: object): Promise<Record<string, unknown>> {
  return untouched(async () => {
    const started = await post(path, body);
    assert.equal(started.status, 200, JSON.stringify(started.body));
    const status = () => read<Record<string, unknown>>(guarded, `${path}/${started.body.id}`);
    const ended = await until(status, (seen) => seen.body.status !== 'processing');
    return ended.body;
  });
}

export const noBrowser = NEEDS_BROWSER.skip;

/** Before the first test of a file, and after its last. */
export function useThreats(): void {
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'trawl-threats-'));
    web = await startWeb({ [GOOD]: goodSite, [ODD]: oddSite, [EVIL]: evilSite });
    catalogues = await startCatalogues({
      papers: [
        {
          title: 'Ladders in trees',
          abstract: 'On ladders.',
          authors: [['Ada', 'Fisher']],
          date: '2017-06-12',
          openalex: 'W1',
          doi: '10.1000/ladders',
          pdf: evil('/paper.pdf'),
          in: ['openalex'],
        },
      ],
      repos: [{ full_name: 'acme/ladders', description: 'Ladders', readme: '# Ladders\n\nLadders for trees.' }],
    });
    const store = await openSqliteStore({ dataDir, cacheMaxBytes: 100_000_000 });
    const { id } = await store.teams.ensureTeam(TEAM, Date.now());
    const policy = { ...DEFAULT_THREAT_POLICY, mode: 'manual-only' as const, blacklist: [EVIL, 'github.com'] };
    await store.threatPolicies.save(id, policy, { actor: 'test', at: Date.now() });
    await store.close();
    free = await startServiceHereWith(web, {
      ...catalogues.settings,
      TRAWL_DATA_DIR: dataDir,
      TRAWL_TEAM_FEATURES: 'threat-protection',
      TRAWL_TEAM_PLAN: 'unlimited',
      TRAWL_BROWSER: 'auto',
      TRAWL_BROWSER_EXECUTE: 'node',
      TRAWL_API_KEY: 'fc-threat-effect-test',
    });
    guarded = await asTeam(free, TEAM);
  });
  after(async () => {
    await free?.stop();
    await Promise.all([catalogues?.stop(), web?.stop()]);
    await rm(dataDir, { recursive: true, force: true });
  });
}

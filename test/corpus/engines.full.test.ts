// The engines and the other process of an installation, asked for by pages and callers whom the operator allows the whole
// network in which they are; and texts of callers that would mean something to an engine if they reached it unquoted.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ServiceError } from '../../src/contracts/errors/errors.ts';
import { ROUTES, type Route } from '../../src/contracts/routes.ts';
import { canStartPostgres } from '../conformance/open-postgres.ts';
import { type ClusterStage, openClusterStage } from './cluster-stage.ts';
import { ENTRANCES } from './entrances.ts';
import { HOSTILE_TEXTS } from './hostile-texts.ts';
import { CANARY_TEXT } from './stage.ts';

const ALLOWED = '127.0.0.0/8, ::1, localhost, *.site.test';

/** Spellings that the operator allows here, so that nothing but the rule about engines can refuse them. */
const HOSTS = ['127.1', '[::1]', '[::ffff:127.0.0.1]', 'localhost', 'engine.site.test'];

describe('engines behind a live service', { skip: !canStartPostgres && 'no PostgreSQL' }, () => {
  let cluster: ClusterStage;
  before(async () => {
    cluster = await openClusterStage(ALLOWED);
    cluster.stage.dns.set('engine.site.test', ['127.0.0.1']);
    cluster.stage.dns.set('localhost', ['127.0.0.1']);
  });
  after(() => cluster?.stop());

  const attempt = async (entrance: (typeof ENTRANCES)[number], target: string, tries = 10): Promise<string> => {
    try {
      return `answered: ${await entrance.attempt(cluster.stage, target)}`;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      // The names are served by this process, which may be too busy to answer in time. That says nothing about the rule.
      if (error.code === 'SCRAPE_DNS_RESOLUTION_ERROR' && tries > 1) return attempt(entrance, target, tries - 1);
      return error.code === 'UNSUPPORTED_SITE' ? error.code : `${error.code}: ${error.message}`;
    }
  };

  for (const entrance of ENTRANCES.filter(({ asksService }) => asksService)) {
    test(`${entrance.name} reaches neither the database nor the other process`, async () => {
      const reached: string[] = [];
      const { database, recorder } = cluster.ports;
      const places = [...HOSTS.map((host) => `${host}:${database}`), `127.0.0.1:${recorder}`];
      const targets = places.map((place) => `http://${place}/`);
      const taken = targets.filter((target) => entrance.takes?.(target) ?? true);
      const width = entrance.asksService === 'at once' ? 8 : 1;
      for (let start = 0; start < taken.length; start += width) {
        const some = taken.slice(start, start + width);
        const results = await Promise.all(some.map((target) => attempt(entrance, target)));
        reached.push(
          ...results.flatMap((result, at) => (result === 'UNSUPPORTED_SITE' ? [] : [`${some[at]} -> ${result}`])),
        );
      }
      assert.deepEqual(reached, []);
    });
  }

  test('control: another port of the same addresses is reached', async () => {
    const [scrape] = ENTRANCES.filter(({ name }) => name === 'POST /v2/scrape');
    assert.equal(await attempt(scrape!, `http://127.0.0.1:${cluster.stage.port}/`), `answered: ${CANARY_TEXT}`);
  });

  test('hostile IDs, cursors and filters are answered, and mean nothing to the database', async () => {
    const problems: string[] = [];
    for (const { method, path, query } of (Object.values(ROUTES) as Route[]).filter(
      ({ method }) => method !== 'POST',
    )) {
      const names = Object.keys(query?.shape ?? {});
      if (!path.includes(':') && names.length === 0) continue;
      for (const text of HOSTILE_TEXTS) {
        const encoded = encodeURIComponent(text.toWellFormed());
        const search = new URLSearchParams(Object.fromEntries(names.map((name) => [name, text])));
        const at = `${path.replace(/:\w+/g, encoded)}?${search}`;
        const isWrite = method === 'PUT' || method === 'PATCH';
        const init = isWrite ? { body: '{}', headers: { 'content-type': 'application/json' } } : {};
        const { status } = await cluster.front.fetch(at, { method, ...init });
        if (status >= 500) problems.push(`${method} ${path} with ${JSON.stringify(text.slice(0, 40))}: ${status}`);
      }
    }
    assert.deepEqual(problems, []);
  });

  test('hostile names, queries and headers of a request come back as they were or are refused', async () => {
    const problems: string[] = [];
    const { front, stage } = cluster;
    const url = stage.serve({ status: 200, html: '<p>words of a page</p>' });
    for (const text of HOSTILE_TEXTS) {
      const isHeader = /^[\x20-\x7e]*$/.test(text);
      const requests: [string, object, Record<string, string>?][] = [
        ['/v2/search', { query: text }],
        ['/v2/search', { query: `site:${text} intitle:"${text}" inurl:${text} filetype:${text} -${text} ${text}*` }],
        ['/v2/search', { query: 'words', includeDomains: [text] }],
        ['/v2/scrape', { url, headers: { 'x-caller': text }, maxAge: 0, integration: text, origin: text }],
        ['/v2/scrape', { url: `${url}?q=${text}`, maxAge: 0 }],
        ['/v2/map', { url, search: text, sitemap: 'skip', timeout: 5_000 }],
        ['/v2/batch/scrape', { urls: [url], integration: text }, isHeader ? { 'x-idempotency-key': text } : {}],
        ['/v2/keys', { name: text, label: text }],
        ['/v2/monitor', { name: text, schedule: { text: 'daily' }, targets: [{ type: 'scrape', urls: [url] }] }],
      ];
      for (const [path, body, headers] of requests) {
        const answer = await front.fetch(path, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(body),
        });
        const said = await answer.text();
        if (answer.status >= 500)
          problems.push(`${path} with ${JSON.stringify(text.slice(0, 40))}: ${said.slice(0, 200)}`);
      }
    }
    assert.deepEqual(problems, []);
    // Nothing was dropped, and nobody waits for a query that sleeps.
    assert.equal((await front.fetch('/v0/health/readiness')).status, 200);
    assert.equal((await front.fetch('/v2/team/activity')).status, 200);
  });
});

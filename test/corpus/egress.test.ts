// No forbidden address is reached through any entrance: a canary proves that nothing arrives, and controls that it could.
// What goes through the whole service gets a sample of the addresses here, and the others in egress.full.test.ts.
import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import { z } from 'zod';
import { ROUTES, type Route } from '../../src/contracts/routes.ts';
import { fullDescribe, fullTest, test } from '../support/full-run.ts';
import { assertRefused, at, outcome, sampleOfTargets } from './attempts.ts';
import { ENTRANCES } from './entrances.ts';
import { CANARY_TEXT, openStage, SITE_ADDRESS, SITE_TEXT, type Stage } from './stage.ts';
import { FORBIDDEN_TARGETS } from './targets.ts';

describe('with the addresses of the site alone', () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.stop());

  // Before the forbidden ones, whose papers and pages may be in the cache.
  for (const entrance of ENTRANCES) {
    test(`an allowed target is reached by ${entrance.name}`, async () => {
      assert.equal(await entrance.attempt(stage, at(`http://${SITE_ADDRESS}:PORT/`, stage)), SITE_TEXT);
    });
  }

  test('the list of forbidden targets is long and has no duplicates', () => {
    assert.ok(FORBIDDEN_TARGETS.length >= 80);
    assert.equal(new Set(FORBIDDEN_TARGETS).size, FORBIDDEN_TARGETS.length);
  });

  for (const entrance of ENTRANCES) {
    test(`forbidden targets are refused when sent by ${entrance.name}`, () =>
      assertRefused(stage, entrance, entrance.asksService ? sampleOfTargets : FORBIDDEN_TARGETS));
  }

  test('the address of a search provider is reachable only for searches', async () => {
    const scrape = ENTRANCES.find(({ name }) => name === 'POST /v2/scrape')!;
    const result = ENTRANCES.find(({ name }) => name === 'a search result')!;
    const target = `${stage.provider.url}/search?q=x`;
    assert.equal(await outcome(stage, scrape, target), 'refused');
    assert.equal(await outcome(stage, result, target), 'refused');
    // The provider was asked for results and nothing else.
    assert.equal(stage.provider.asked.filter(({ query }) => query === 'x').length, 0);
    assert.ok(stage.provider.asked.length > 0);
  });
});

test('every route with a URL in its body declares which key is fetched, so the table covers it', () => {
  const silent = (Object.entries(ROUTES) as [string, Route][]).filter(([, { request, fetches }]) => {
    if (!request || fetches !== undefined) return false;
    const { properties = {} } = z.toJSONSchema(request, { io: 'input', unrepresentable: 'any' });
    return Object.keys(properties).some((name) => /ur[li]s?$/i.test(name));
  });
  assert.deepEqual(
    silent.map(([id]) => id),
    [],
  );
  assert.ok(ENTRANCES.some(({ name }) => name === 'POST /v2/scrape'));
});

fullDescribe('controls', () => {
  let widened: Stage;
  before(async () => {
    widened = await openStage(`${SITE_ADDRESS}, 127.0.0.1, ::1, localhost`);
  });
  after(() => widened.stop());

  fullTest('the service itself is refused in every spelling, even where the operator allows its address', async () => {
    const service = await widened.service();
    const { port: own } = new URL(service.url);
    const hosts = [
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f.1',
      '0.0.0.0',
      '0',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
    ];
    hosts.push('[::]', '[::ffff:0:0]', 'localhost', 'LOCALHOST.', 'localhost..', '127.0.0.1.', 'loopback.site.test');
    for (const name of ['loopback.site.test', 'localhost']) widened.dns.set(name, ['127.0.0.1']);
    for (const host of hosts) {
      for (const target of [`http://${host}:${own}/v0/health/liveness`, `https://${host}:0${own}/`]) {
        const { status, body } = await service.scrape({ url: target, maxAge: 0 });
        assert.deepEqual([status, body.code], [403, 'UNSUPPORTED_SITE'], target);
      }
    }
  });

  // The stage's proxy forwards everything to the site, so these two cannot reach the canary.
  for (const [index, entrance] of ENTRANCES.filter(({ name }) => !name.includes('proxy')).entries()) {
    fullTest(`the canary is caught by ${entrance.name} once the operator allows it`, async () => {
      // Each entrance has its own page, because agents also read from the cache, which others fill.
      const path = `:PORT/?${index}`;
      // IPv4 addresses are tried first, so only one of these is reached.
      const targets = entrance.name.includes('among')
        ? [`http://127.0.0.1${path}`]
        : [`http://127.0.0.1${path}`, `http://[::1]${path}`];
      for (const target of targets) {
        widened.caught.length = 0;
        assert.equal(await entrance.attempt(widened, at(target, widened)), CANARY_TEXT);
        assert.equal(
          widened.caught.filter((path) => path !== '/robots.txt' || entrance.name.includes('robots.txt')).length,
          1,
        );
      }
    });
  }
});

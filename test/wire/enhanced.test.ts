// POST /v2/scrape against sites that turn programs away: what basic, auto and enhanced get, and what it costs.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { RunningService } from '../support/service.ts';
import { useWalls } from '../support/walls/scrape-walls.ts';

const { scene, start, scrape } = useWalls();

describe('without a browser', () => {
  let service: RunningService;
  before(async () => {
    // Proxies of the environment are not for us: everything has to go through the guarded proxy.
    const nowhere = 'http://127.0.0.1:9';
    service = await start({ NO_PROXY: '*', HTTP_PROXY: nowhere, HTTPS_PROXY: nowhere, ALL_PROXY: nowhere });
  });
  after(() => service?.stop());

  test('a wall that looks at the TLS handshake lets the enhanced attempt in, and the basic one not', async () => {
    const basic = await scrape(service, 'tls', { proxy: 'basic' });
    assert.deepEqual([basic.isInside, ...basic.result], [false, 403, 'basic', 1]);
    assert.deepEqual(basic.trail, []);
    const enhanced = await scrape(service, 'tls', { proxy: 'enhanced' });
    assert.deepEqual([enhanced.isInside, ...enhanced.result], [true, 200, 'stealth', 5]);
    assert.deepEqual(enhanced.trail, ['chrome-http stealth ok']);
    assert.equal(enhanced.warning, undefined);
  });

  test('auto tries another identity after a 403, says so, and charges for what helped', async () => {
    const { isInside, result, trail } = await scrape(service, 'tls');
    assert.deepEqual([isInside, ...result], [true, 200, 'stealth', 5]);
    assert.deepEqual(trail, ['http basic forbidden', 'chrome-http stealth ok']);
  });

  test('a page that basic gets stays basic in auto', async () => {
    const { isInside, result, trail } = await scrape(service, 'rate');
    assert.deepEqual([isInside, ...result], [true, 200, 'basic', 1]);
    assert.deepEqual(trail, []);
  });

  test('the headers come in the order of Chrome, with hints that agree with the User-Agent', async () => {
    for (const wall of ['order', 'hints'] as const) {
      const { isInside } = await scrape(service, wall, { proxy: 'enhanced' });
      assert.ok(isInside, `${wall}: ${JSON.stringify(scene.walls.visits(wall).at(-1))}`);
    }
  });

  test('a wall that wants its own cookie back gets it', async () => {
    const { isInside, result } = await scrape(service, 'cookie', { proxy: 'enhanced' });
    assert.deepEqual([isInside, ...result], [true, 200, 'stealth', 5]);
    assert.equal(scene.walls.visits('cookie').length, 2);
  });

  test('where nothing helps, the error names the attempts, and nothing is charged', async () => {
    const creditsLeft = async () => {
      const usage = (await (await service.fetch('/v2/team/credit-usage')).json()) as {
        data: { remainingCredits: number };
      };
      return usage.data.remainingCredits;
    };
    const before = await creditsLeft();
    for (const [proxy, tried] of [
      ['enhanced', /chrome-http|challenge/],
      ['auto', /Tried: http, basic \(challenge\); chrome-http, stealth \(challenge\)\./],
    ] as const) {
      const answer = await scrape(service, 'closed', { proxy });
      assert.equal(answer.success, false);
      assert.match(answer.error!, tried);
    }
    assert.equal(await creditsLeft(), before);
  });

  test('a refusal that stays is returned as it is, with a warning and without the surcharge', async () => {
    const { isInside, result, warning, trail } = await scrape(service, 'script');
    assert.deepEqual([isInside, ...result], [false, 403, 'stealth', 1]);
    assert.deepEqual(trail, ['http basic forbidden', 'chrome-http stealth forbidden']);
    assert.match(warning!, /refused the page to every attempt/);
  });
});

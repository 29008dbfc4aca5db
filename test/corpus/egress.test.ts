// No forbidden address is reached through any entrance: a canary proves that nothing arrives, and controls that it could.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { z } from 'zod';
import { ServiceError } from '../../src/contracts/errors.ts';
import { ROUTES, type Route } from '../../src/contracts/routes.ts';
import { type ModelServer, startModelServer } from '../support/models/model-server.ts';
import { ENTRANCES, type Entrance } from './entrances.ts';
import { CANARY_TEXT, openStage, SITE_ADDRESS, SITE_TEXT, type Stage } from './stage.ts';
import { FORBIDDEN_TARGETS } from './targets.ts';

interface PreviewAnswer {
  code?: string;
  error?: string;
}

const at = (target: string, { port }: Stage) => target.replaceAll('PORT', String(port));

/** The result of an attempt: 'refused', or what went wrong. A failed connection counts as wrong: it was attempted. */
async function outcome(stage: Stage, entrance: Entrance, target: string): Promise<string> {
  try {
    return `answered: ${await entrance.attempt(stage, target)}`;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const refused =
      error.code === 'UNSUPPORTED_SITE' ||
      error.code === 'BAD_REQUEST' ||
      /not a URL|not answer with valid HTTP/.test(error.message);
    return refused ? 'refused' : `${error.code}: ${error.message}`;
  }
}

describe('forbidden targets', () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.stop());

  test('the list is long and has no duplicates', () => {
    assert.ok(FORBIDDEN_TARGETS.length >= 80);
    assert.equal(new Set(FORBIDDEN_TARGETS).size, FORBIDDEN_TARGETS.length);
  });

  for (const entrance of ENTRANCES) {
    test(`are refused when sent by ${entrance.name}`, async () => {
      const targets = FORBIDDEN_TARGETS.map((target) => at(target, stage)).filter(
        (target) => entrance.takes?.(target) ?? true,
      );
      const reached: string[] = [];
      for (const target of targets) {
        const result = await outcome(stage, entrance, target);
        if (result !== 'refused') reached.push(`${JSON.stringify(target)} -> ${result}`);
      }
      assert.deepEqual(reached, []);
      assert.deepEqual(stage.caught, [], 'a request reached the canary');
      const carried = stage.proxy.asked.filter((line) => !/^(GET http:\/\/|CONNECT )site\.test:/.test(line));
      assert.deepEqual(carried, [], 'the proxy was asked for a forbidden target');
    });
  }
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

test('the address of a search provider is reachable only for searches', async (context) => {
  const stage = await openStage();
  context.after(() => stage.stop());
  const scrape = ENTRANCES.find(({ name }) => name === 'POST /v2/scrape')!;
  const result = ENTRANCES.find(({ name }) => name === 'a search result')!;
  const target = `${stage.provider.url}/search?q=x`;
  assert.equal(await outcome(stage, scrape, target), 'refused');
  assert.equal(await outcome(stage, result, target), 'refused');
  // The provider was asked for results and nothing else.
  assert.equal(stage.provider.asked.filter(({ query }) => query === 'x').length, 0);
  assert.ok(stage.provider.asked.length > 0);
});

describe('the preview of a crawl, which maps the site', () => {
  let model: ModelServer;
  before(async () => {
    model = await startModelServer(() => ({ text: { limit: 5 } }));
  });
  after(() => model.close());
  const preview = async (stage: Stage, url: string) => {
    const service = await stage.service();
    return service.post<PreviewAnswer>('/v2/crawl/params-preview', { url, prompt: 'All pages' });
  };

  test('reaches no forbidden target, by its URL or by a redirect', async (context) => {
    const stage = await openStage(SITE_ADDRESS, model.settings());
    context.after(() => stage.stop());
    const direct = FORBIDDEN_TARGETS.map((target) => at(target, stage));
    const answers = await Promise.all(direct.map((target) => preview(stage, target)));
    const accepted = answers.flatMap(({ status, body: { code } }, index) =>
      code === 'UNSUPPORTED_SITE' || code === 'BAD_REQUEST' ? [] : [`${direct[index]} -> ${status} ${code}`],
    );
    assert.deepEqual(accepted, []);
    const redirects = direct.slice(0, 10).map((location) => stage.serve({ status: 302, location }));
    for (const { status } of await Promise.all(redirects.map((url) => preview(stage, url)))) assert.equal(status, 200);
    assert.deepEqual(stage.caught, [], 'a request reached the canary');
  });

  test('is how the canary is caught once the operator allows it', async (context) => {
    const stage = await openStage(`${SITE_ADDRESS}, 127.0.0.1`, model.settings());
    context.after(() => stage.stop());
    assert.equal((await preview(stage, at('http://127.0.0.1:PORT/', stage))).status, 200);
    assert.ok(stage.caught.length > 0);
  });
});

describe('controls', () => {
  let open: Stage;
  let widened: Stage;
  before(async () => {
    open = await openStage();
    widened = await openStage(`${SITE_ADDRESS}, 127.0.0.1, ::1, localhost`);
  });
  after(() => Promise.all([open.stop(), widened.stop()]));

  for (const entrance of ENTRANCES) {
    test(`an allowed target is reached by ${entrance.name}`, async () => {
      assert.equal(await entrance.attempt(open, at(`http://${SITE_ADDRESS}:PORT/`, open)), SITE_TEXT);
    });
  }

  test('the service itself is refused in every spelling, even where the operator allows its address', async () => {
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
    test(`the canary is caught by ${entrance.name} once the operator allows it`, async () => {
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

// The forbidden addresses that egress.test.ts does not send through the whole service, and the preview of a crawl.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type ModelServer, startModelServer } from '../support/models/model-server.ts';
import { assertRefused, at, otherTargets } from './attempts.ts';
import { ENTRANCES } from './entrances.ts';
import { openStage, SITE_ADDRESS, type Stage } from './stage.ts';
import { FORBIDDEN_TARGETS } from './targets.ts';

interface PreviewAnswer {
  code?: string;
  error?: string;
}

describe('more forbidden targets', () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.stop());

  for (const entrance of ENTRANCES.filter(({ asksService }) => asksService)) {
    test(`are refused when sent by ${entrance.name}`, () => assertRefused(stage, entrance, otherTargets));
  }
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

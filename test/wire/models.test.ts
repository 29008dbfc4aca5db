// A service with a language model: what it says about it, and that it runs on where the model does not.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { HealthDetails } from '../../src/contracts/health.ts';
import { type ModelServer, startModelServer } from '../support/models/model-server.ts';
import { says, WRONG_KEY } from '../support/models/replies.ts';
import { type RunningService, startServiceWith } from '../support/service.ts';
import { startWeb, type Web } from '../support/web.ts';

let web: Web;
let good: ModelServer;
let strict: ModelServer;
let service: RunningService;
let locked: RunningService;

before(async () => {
  [web, good, strict] = await Promise.all([
    startWeb(),
    startModelServer(says('The blog is about gardens.')),
    startModelServer(() => WRONG_KEY),
  ]);
  service = await startServiceWith(web, { ...good.settings(), TRAWL_MODEL_CLEAN: 'off' });
  locked = await startServiceWith(web, strict.settings('anthropic'));
});
after(async () => {
  await Promise.all([service?.stop(), locked?.stop()]);
  await Promise.all([web?.stop(), good?.close(), strict?.close()]);
});

async function details({ url }: RunningService, until: (models: HealthDetails['models']) => boolean) {
  for (;;) {
    const response = await fetch(new URL('/v0/health/details', url));
    assert.equal(response.status, 200);
    const body = (await response.json()) as HealthDetails;
    if (until(body.models)) return body;
  }
}

test('the operator sees which model answers for which purpose', async () => {
  const { models, status, versions } = await details(service, (all) => all[0]!.state !== 'unknown');
  assert.equal(status, 'ok');
  assert.equal(versions.node, process.versions.node);
  assert.deepEqual(
    models.map(({ purpose, model, state }) => [purpose, model, state]),
    [
      ['extract', 'compatible:test-model', 'answers'],
      ['answer', 'compatible:test-model', 'answers'],
      ['clean', null, 'none'],
      ['agent', 'compatible:test-model', 'answers'],
      ['judge', 'compatible:test-model', 'answers'],
    ],
  );
  assert.equal(good.calls.length, 1);
  assert.equal(good.calls[0]!.headers.authorization, 'Bearer model-key-for-tests');
});

test('a wrong key is said in one sentence that does not show it, and the service works without the model', async () => {
  const { models } = await details(locked, (all) => all[0]!.state !== 'unknown');
  assert.equal(models[0]!.state, 'fails');
  assert.match(models[0]!.problem!, /does not accept the key/);
  const page = await locked.scrape({ url: web.url('news.test', '/article/1') });
  assert.equal(page.status, 200);
  const said = JSON.stringify([models, locked.output()]);
  assert.ok(said.includes('the language model is not used now') && !said.includes('model-key-for-tests'), said);
});

test('a page that gives orders to models is refused and not stored; others are billed for the check', async () => {
  const hostile = web.url('news.test', '/orders-to-models');
  const refused = await locked.scrape<{ code: string; data?: unknown }>({ url: hostile, checkPromptInjection: true });
  assert.deepEqual([refused.status, refused.body.code], [403, 'SCRAPE_PROMPT_INJECTION_DETECTED']);
  assert.equal(refused.body.data, undefined);
  const nested = { type: 'json', prompt: 'title', checkPromptInjection: true };
  assert.equal((await locked.scrape({ url: hostile, formats: ['markdown', nested] })).status, 403);
  const cached = await locked.scrape<{ code: string }>({ url: hostile, lockdown: true });
  assert.equal(cached.body.code, 'SCRAPE_LOCKDOWN_CACHE_MISS');
  const { status, body } = await locked.scrape<Checked>({
    url: web.url('news.test', '/article/1'),
    checkPromptInjection: true,
  });
  assert.deepEqual([status, body.data.metadata.creditsUsed], [200, 5]);
  assert.match(body.data.warning, /checked for prompt injection by rules alone/);
  assert.equal((await locked.scrape({ url: hostile, formats: ['rawBase64'], checkPromptInjection: true })).status, 400);
});

interface Checked {
  data: { warning: string; metadata: { creditsUsed: number } };
}

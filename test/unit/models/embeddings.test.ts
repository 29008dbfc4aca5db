// The server for embeddings: what it is asked, which answers are refused, and when it is not asked.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, readConfig } from '../../../src/config/settings.ts';
import { lettersOf, startEmbeddingServer } from '../../support/models/embedding-server.ts';
import { openTestModels } from '../../support/models/test-models.ts';

const TEXTS = ['one', 'two'];
const ASKER = { team: 'team', isPrivate: false };
const NEVER = new AbortController().signal;

async function opened(t: Parameters<typeof openTestModels>[0], settings: Record<string, string> = {}) {
  const server = await startEmbeddingServer();
  t.after(server.close);
  const scene = await openTestModels(t, () => ({ text: 'ok' }), { settings: { ...server.settings(), ...settings } });
  const embed = async (texts = TEXTS, asker = ASKER) => {
    const chosen = scene.models.embedder(asker);
    assert.ok(chosen && 'embedder' in chosen, JSON.stringify(chosen));
    return chosen.embedder.embed(texts, NEVER);
  };
  return { ...scene, server, embed };
}

test('vectors are those of the texts, in their order, whatever the order of the answer, and their tokens count', async (t) => {
  const { server, embed, spent, outcomes } = await opened(t);
  const vectors = await embed();
  assert.deepEqual(
    vectors.map((vector) => [...vector].map((number) => Math.round(number * 10) / 10)),
    TEXTS.map((text) => lettersOf(text).map((number) => Math.round(number * 10) / 10)),
  );
  assert.deepEqual(server.keys, ['Bearer embedding-key-for-tests']);
  assert.deepEqual([...spent], [['team', 2]]);
  assert.deepEqual(
    outcomes.map(({ purpose, outcome }) => [purpose, outcome]),
    [['embed', 'ok']],
  );
});

test('answers that are not one vector for each text are refused', async (t) => {
  const { server, embed } = await opened(t);
  const item = (index: unknown, embedding: unknown) => ({ index, embedding });
  const answers: unknown[] = [
    'no JSON',
    'null',
    {},
    { data: [item(0, [1])] },
    { data: [item(0, [1]), item(0, [1])] },
    { data: [item(0, [1]), item(4_294_967_294, [1])] },
    { data: [item(0, [1]), item('length', [1])] },
    { data: [item(0, [1]), item(1, [1, 2])] },
    { data: [item(0, [1]), item(1, [])] },
    { data: [item(0, [1]), item(1, ['1'])] },
    { data: [item(0, [1]), item(1, [null])] },
    { data: [item(0, [1]), item(1, new Array(10_000).fill(0))] },
    { data: [null, 7] },
  ];
  for (const body of answers) {
    server.answer({ status: 200, body });
    await assert.rejects(embed(), { code: 'MODEL_FAILED' }, JSON.stringify(body).slice(0, 80));
  }
  server.answer(undefined);
  assert.equal((await embed()).length, 2);
});

test('a server that does not accept the key is not asked for a while, and the key is not named', async (t) => {
  const { server, embed, models, logged } = await opened(t);
  server.answer({ status: 401, body: { error: { message: 'embedding-key-for-tests is wrong' } } });
  await assert.rejects(embed(), /The language model letters does not accept the key/);
  const chosen = models.embedder(ASKER);
  assert.ok(chosen && 'without' in chosen);
  assert.match(chosen.without, /^the model letters does not accept the key/);
  assert.ok(!logged().includes('embedding-key-for-tests'));
  assert.equal(server.asked.length, 1);
});

test('text of private requests leaves this machine only if the operator allows it', async (t) => {
  const away = { TRAWL_EMBEDDINGS_URL: 'https://embeddings.example/v1' };
  const { models } = await opened(t, away);
  const chosen = models.embedder({ ...ASKER, isPrivate: true });
  assert.ok(chosen && 'without' in chosen && /zero data retention/.test(chosen.without));
  assert.ok('embedder' in models.embedder(ASKER)!);
  const allowed = await opened(t, { ...away, TRAWL_MODEL_ZDR: 'allow' });
  assert.ok('embedder' in allowed.models.embedder({ ...ASKER, isPrivate: true })!);
  const { embed } = await opened(t);
  assert.equal((await embed(TEXTS, { ...ASKER, isPrivate: true })).length, 2);
});

test('settings that only work together are missed in one sentence', () => {
  assert.equal(readConfig({}).models.embeddings, undefined);
  assert.throws(() => readConfig({ TRAWL_EMBEDDINGS_URL: 'http://127.0.0.1:1/v1' }), ConfigError);
  assert.throws(() => readConfig({ TRAWL_EMBEDDINGS_MODEL: 'm' }), /need TRAWL_EMBEDDINGS_URL/);
});

// `trawl doctor` names the server for embeddings, and with `--network` says whether it answers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languageModels } from '../../../../../src/compose/commands/doctor/ask-models.ts';
import { readConfig } from '../../../../../src/config/settings.ts';
import { startEmbeddingServer } from '../../../../support/models/embedding-server.ts';

test('the server for embeddings is named, asked where that is wanted, and its failure is told', async (t) => {
  const server = await startEmbeddingServer();
  t.after(server.close);
  const config = readConfig(server.settings());
  const told = async (isAsked: boolean) =>
    (await languageModels(config, isAsked)).filter(({ check }) => check === 'embeddings');
  const [named, ...more] = await told(false);
  assert.deepEqual([named!.state, more.length, server.asked.length], ['ok', 0, 0]);
  assert.match(named!.text, /letters \(not tried/);
  const [answers] = await told(true);
  assert.equal(answers!.state, 'ok');
  assert.match(answers!.text, /it answers, 5 numbers a vector/);
  server.answer({ status: 401, body: { error: { message: 'no such key' } } });
  const [refused] = await told(true);
  assert.equal(refused!.state, 'warn');
  assert.match(refused!.todo!, /TRAWL_EMBEDDINGS_URL/);
  assert.ok(!JSON.stringify(refused).includes('embedding-key-for-tests'));
  assert.deepEqual(
    (await languageModels(readConfig({}), false)).filter(({ check }) => check === 'embeddings'),
    [],
  );
});

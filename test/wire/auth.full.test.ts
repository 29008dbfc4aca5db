// The first key of a data folder over restarts, and wrong uses of the keys command.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runKeys } from '../support/run-keys.ts';
import { startService } from '../support/service.ts';

const OPERATOR_KEY = 'operators-own-key';

test('without one, a key is generated, and stays valid when the operator sets one later', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'trawl-keys-'));
  try {
    const first = await startService({ TRAWL_DATA_DIR: dataDir });
    assert.match(first.key, /^fc-[0-9a-f]{32}$/);
    await first.stop();
    const second = await startService({ TRAWL_DATA_DIR: dataDir, TRAWL_API_KEY: OPERATOR_KEY });
    const { status } = await second.fetch('/v2/team/credit-usage', {
      headers: { authorization: `Bearer ${first.key}` },
    });
    await second.stop();
    assert.equal(status, 200);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});

test('wrong uses of the keys command fail with a one-sentence error', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'trawl-keys-'));
  const keys = (...args: string[]) => runKeys(dataDir, ...args);
  try {
    assert.equal((await keys()).code, 2);
    for (const args of [
      ['dance'],
      ['revoke'],
      ['revoke', 'fc-'],
      ['revoke', 'fc-nothing'],
      ['add', '--team', 'a b'],
      ['list', 'x'],
    ]) {
      const { code, text } = await keys(...args);
      assert.equal(code, 2, args.join(' '));
      assert.equal(text.trim().split('\n').length, 1);
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});

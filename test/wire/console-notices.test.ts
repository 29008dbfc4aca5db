// The licences of the packages whose code is in the console can be read beside it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { useService } from '../support/use-service.ts';

const scene = useService();

test('the notices are served as text, without a key', async () => {
  const answer = await scene.service.fetch('/console/third-party-notices.txt', { headers: { authorization: '' } });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8');
  const file = join(import.meta.dirname, '../../THIRD-PARTY-NOTICES.txt');
  assert.equal(await answer.text(), readFileSync(file, 'utf8'));
});

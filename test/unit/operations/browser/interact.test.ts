// What is refused before a session is opened.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { interactRequest } from '../../../../src/contracts/execute.ts';
import { NO_MODELS } from '../../../../src/models/no-models.ts';
import { type InteractDeps, interact } from '../../../../src/operations/browser/interact.ts';
import { systemClock } from '../../../../src/util/clock.ts';

test('a prompt without a model is refused with the setting that is missing, and no session is opened', async () => {
  const deps = { models: NO_MODELS, clock: systemClock } as Partial<InteractDeps> as InteractDeps;
  const caller = { team: { id: 'own', name: 'own' }, signal: new AbortController().signal };
  const request = interactRequest.parse({ prompt: 'Click it' });
  const id = '01890000-0000-7000-8000-000000000000';
  await assert.rejects(interact(deps, caller, id, request, 'http://service.test'), {
    code: 'NEEDS_MODEL',
    message: /no model is set \(TRAWL_MODEL\)/,
  });
});

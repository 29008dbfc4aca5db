// What is refused before a session is opened.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { interactRequest } from '../../../../src/contracts/browser/execute.ts';
import { NO_MODELS } from '../../../../src/models/no-models.ts';
import { type InteractDeps, interact } from '../../../../src/operations/browser/interact.ts';
import type { Caller } from '../../../../src/operations/caller.ts';
import { createFeatures } from '../../../../src/policy/features.ts';
import { systemClock } from '../../../../src/util/clock.ts';
import { callOf } from '../../../support/call.ts';

const ID = '01890000-0000-7000-8000-000000000000';
const prompted = (caller: Caller) =>
  callOf<'interact'>(caller, { params: { id: ID }, body: interactRequest.parse({ prompt: 'Click it' }) });

test('a prompt without a model is refused with the setting that is missing, and no session is opened', async () => {
  const featuresOf = createFeatures([]);
  const deps = { models: NO_MODELS, featuresOf, clock: systemClock } as Partial<InteractDeps> as InteractDeps;
  const caller = { team: { id: 'own', name: 'own' }, signal: new AbortController().signal };
  await assert.rejects(interact(deps, prompted(caller)), {
    code: 'NEEDS_MODEL',
    message: /no model is set \(TRAWL_MODEL\)/,
  });
});

for (const [grant, isPrivate] of [
  ['allowed', false],
  ['forced', true],
] as const) {
  test(`a team whose zero data retention is ${grant} may ${isPrivate ? 'only use private models' : 'use any model'} for a prompt`, async () => {
    const asked: boolean[] = [];
    const models: Pick<InteractDeps['models'], 'choose'> = {
      choose(purpose, asker) {
        asked.push(asker.isPrivate);
        return NO_MODELS.choose(purpose, asker);
      },
    };
    const deps = {
      models,
      featuresOf: createFeatures([]),
      clock: systemClock,
    } as Partial<InteractDeps> as InteractDeps;
    const team = { id: 'own', name: 'own', settings: { zeroDataRetention: grant } };
    const caller = { team, signal: new AbortController().signal };
    await assert.rejects(interact(deps, prompted(caller)), { code: 'NEEDS_MODEL' });
    assert.deepEqual(asked, [isPrivate]);
  });
}

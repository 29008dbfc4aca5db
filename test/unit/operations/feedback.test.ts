// Ratings while nothing can be stored.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorBody, ServiceError } from '../../../src/contracts/errors/errors.ts';
import { searchFeedback } from '../../../src/operations/feedback.ts';
import { createFeatures } from '../../../src/policy/features.ts';
import { uuidv7 } from '../../../src/util/ids.ts';
import { callOf } from '../../support/call.ts';

test('a store that cannot be written is an error with the code of the public interface', async () => {
  const full = new ServiceError('STORAGE_UNAVAILABLE', { message: 'The disk is full.', retryAfter: 10 });
  const deps = {
    feedback: { add: () => Promise.reject(full) },
    featuresOf: createFeatures([]),
    clock: { now: () => 1_000 },
  };
  const caller = { team: { id: 'team', name: 'team' }, signal: new AbortController().signal };
  const body = { rating: 'bad' as const, querySuggestions: 'x', valuableSources: [], missingContent: [] };
  const call = callOf<'searchFeedback'>(caller, { params: { id: uuidv7(1_000) }, body: body as never });
  await assert.rejects(searchFeedback(deps, call), (error: ServiceError) => {
    assert.deepEqual([error.status, error.retryAfter], [503, 10]);
    assert.deepEqual(errorBody(error), {
      ...{ success: false, code: 'STORAGE_UNAVAILABLE', error: 'The disk is full.', feedbackErrorCode: 'DB_DISABLED' },
    });
    return true;
  });
});

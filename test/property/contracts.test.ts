// Whatever a caller sends, validation accepts it or refuses it with an error from the table: contracts never throw by accident.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ServiceError } from '../../src/contracts/errors/errors.ts';
import { ROUTES, type Route } from '../../src/contracts/routes.ts';
import { validate } from '../../src/contracts/validate/validate.ts';
import { bodiesFrom } from '../support/fuzz/mutations.ts';
import { valuesOf } from '../support/fuzz/schema-values.ts';
import { amount, seedOr } from '../support/runs.ts';

const SEED = seedOr(20_261_118);
const NO_HINTS = { values: {}, always: new Set<string>(), seldom: new Set<string>() };

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

for (const [id, { request, invalidRequest }] of Object.entries<Route>(ROUTES)) {
  if (!request) continue;
  test(`any body of ${id} is accepted or refused (seed ${SEED})`, () => {
    const property = fc.property(bodiesFrom(valuesOf(request, NO_HINTS)), ({ text }) => {
      try {
        validate(request, parse(text), invalidRequest);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        assert.equal(error.status, 400);
      }
    });
    fc.assert(property, { seed: SEED, numRuns: amount({ short: 40, full: 100, long: 20_000 }) });
  });
}

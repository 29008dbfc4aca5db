// Random requests for every route, valid ones and wrong ones: no unexpected error, no answer outside its contract, no hang.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROUTES } from '../../src/contracts/routes.ts';
import { runFuzz } from '../support/fuzz/fuzz-run.ts';
import { startFuzzScene } from '../support/fuzz/fuzz-scene.ts';
import { runs, seedOr } from '../support/runs.ts';

const SEED = seedOr(20_261_116);
const REQUESTS = runs(200, 3_000);

test(`random requests get answers within the contract (seed ${SEED})`, async (t) => {
  const { service, web, stop } = await startFuzzScene();
  t.after(stop);
  const options = { requests: REQUESTS, seed: SEED, parallel: 16, hangMs: 240_000 };
  const { problems, answers } = await runFuzz(service, web, options);
  assert.deepEqual(problems, []);
  // Otherwise most routes would not be tested at all.
  assert.ok(answers.size > Object.keys(ROUTES).length / 2, `${answers.size} routes were asked`);
  const served = [...answers.values()].filter((counts) => [...counts.keys()].some((label) => /^2/.test(label)));
  // Calls about one job, key or team need an ID of the right kind.
  assert.ok(served.length > answers.size / 4, `${served.length} routes answered with success`);
});

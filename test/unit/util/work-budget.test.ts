// Budgets of processor time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { processorBudget, UNLIMITED } from '../../../src/util/work-budget.ts';

test('a budget is spent by work and stays spent', () => {
  const budget = processorBudget(20);
  assert.equal(budget.isSpent(), false);
  while (!budget.isSpent()) Math.hypot(1, 2);
  assert.equal(budget.isSpent(), true);
});

test('waiting does not spend a budget', async () => {
  const budget = processorBudget(60_000);
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(budget.isSpent(), false);
});

test('a budget of nothing is spent at once, an unlimited one never', () => {
  assert.equal(processorBudget(0).isSpent(), true);
  assert.equal(UNLIMITED.isSpent(), false);
});

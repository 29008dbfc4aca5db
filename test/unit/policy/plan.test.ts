import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPlans, parsePlans } from '../../../src/policy/plan.ts';

const plansOf = (text = '{}', teamPlan = 'standard') =>
  createPlans({ plans: parsePlans(text), teamPlan, operatorTeam: 'default' });

test("the operator's team is unlimited, further teams have the plan for teams", () => {
  const plans = plansOf();
  assert.equal(plans.limitsOf({ name: 'default' }).rates.scrape, null);
  assert.deepEqual(
    [plans.limitsOf({ name: 'other' }).rates.scrape, plans.limitsOf({ name: 'other' }).maxConcurrency],
    [500, 50],
  );
  assert.equal(plans.limitsOf({ name: 'default', settings: { plan: 'free' } }).rates.crawl, 2);
});

test('what is set for a team wins over its plan, and null means unlimited', () => {
  const settings = { plan: 'free', rates: { scrape: 3, map: null }, monthlyCredits: 9 };
  const { rates, maxConcurrency, monthlyCredits } = plansOf().limitsOf({ name: 'a', settings });
  assert.deepEqual([rates.scrape, rates.map, rates.search], [3, null, 10]);
  assert.deepEqual([maxConcurrency, monthlyCredits], [2, 9]);
});

test('the operator changes a plan, or adds one that is unlimited where it says nothing', () => {
  const plans = plansOf('{"hobby":{"monthlyCredits":5000},"ours":{"rates":{"scrape":60}}}', 'ours');
  const hobby = plans.limitsOf({ name: 'a', settings: { plan: 'hobby' } });
  assert.deepEqual([hobby.monthlyCredits, hobby.rates.scrape], [5000, 100]);
  assert.deepEqual([plans.limitsOf({ name: 'a' }).rates.scrape, plans.limitsOf({ name: 'a' }).rates.crawl], [60, null]);
});

test('a team whose plan no longer exists has the plan for teams', () => {
  assert.equal(plansOf().limitsOf({ name: 'a', settings: { plan: 'gone' } }).rates.scrape, 500);
});

test('plans that cannot be read are refused with their place', () => {
  assert.throws(() => parsePlans('{'), /must be a JSON object/);
  assert.throws(() => parsePlans('[]'), /expected record/);
  assert.throws(() => parsePlans('{"a":{"rates":{"scrap":1}}}'), /a\.rates: Rates can be set for: scrape, crawl/);
  assert.throws(() => parsePlans('{"a":{"credits":1}}'), /a: Unrecognized key/);
  assert.throws(() => parsePlans('{"a":{"maxConcurrency":0}}'), /a\.maxConcurrency/);
});

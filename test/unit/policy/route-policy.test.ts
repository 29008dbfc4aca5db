import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROUTES, type Route } from '../../../src/contracts/routes.ts';
import { readAsked } from '../../../src/policy/asked.ts';
import { ROUTE_POLICY } from '../../../src/policy/route-policy.ts';

const routes = Object.entries(ROUTES as Record<string, Route>);

test('every call that needs a key has a policy, and no other call has one', () => {
  const keyed = routes.filter(([, { open }]) => !open).map(([id]) => id);
  assert.deepEqual(Object.keys(ROUTE_POLICY).sort(), keyed.sort());
});

test('every call that fetches a URL for its caller is judged', () => {
  const fetching = routes.filter(([, { open, fetches }]) => !open && typeof fetches === 'string').map(([id]) => id);
  assert.deepEqual(
    fetching.filter((id) => ROUTE_POLICY[id as keyof typeof ROUTE_POLICY].checks === undefined),
    [],
  );
});

test('what a team is allowed is no wish of the operator who sets it', () => {
  const body = { zeroDataRetention: 'forced', threatProtection: 'allowed' };
  assert.deepEqual(readAsked(body, ROUTE_POLICY.createTeam.asks), {});
  assert.deepEqual(readAsked(body, ROUTE_POLICY.changeTeam.asks), {});
});

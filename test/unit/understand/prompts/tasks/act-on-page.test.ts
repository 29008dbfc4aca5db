// What a model may do with a page, whatever it answers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ACT_ON_PAGE,
  ACTIONS_SCHEMA,
  MAX_ACTIONS,
  readWishes,
} from '../../../../../src/understand/prompts/tasks/act-on-page.ts';

test('every action that can be chosen is explained', () => {
  for (const name of ACTIONS_SCHEMA.properties.actions.items.properties.do.enum) {
    assert.match(ACT_ON_PAGE, new RegExp(`\\b${name}:`), name);
  }
  for (const label of ['task', 'history', 'page']) assert.ok(ACT_ON_PAGE.includes(`<${label}>`), label);
});

test('an answer is read as actions, within their limits', () => {
  const wishes = readWishes({
    actions: [
      { do: 'click', element: 3, text: null },
      { do: 'type', element: 4, text: 'x'.repeat(50_000), enter: null },
      { do: 'wait', text: '900' },
      { do: 'scroll', text: 'UP' },
      { do: 'finish', text: 'Done.', failed: true },
    ],
  });
  assert.ok(Array.isArray(wishes));
  assert.deepEqual(wishes[0], { type: 'click', element: 3 });
  assert.deepEqual(wishes[1], { type: 'type', element: 4, text: 'x'.repeat(20_000), enter: false });
  assert.deepEqual(wishes.slice(2), [
    { type: 'wait', seconds: 10 },
    { type: 'scroll', direction: 'up' },
    { type: 'finish', output: 'Done.', isFailure: true },
  ]);
  const many = Array.from({ length: 100 }, () => ({ do: 'back' }));
  assert.equal(readWishes(many).length, MAX_ACTIONS);
  assert.deepEqual(readWishes({ do: 'read' }), [{ type: 'read' }]);
});

test('anything else is told to the model', () => {
  for (const value of [
    undefined,
    null,
    'click 3',
    7,
    {},
    { actions: [] },
    { actions: [{ do: 'evaluate', text: '1' }] },
  ]) {
    assert.match(String(readWishes(value)), /not a list of actions/);
  }
  assert.match(String(readWishes([{ do: 'click' }])), /needs the number/);
  assert.match(String(readWishes([{ do: 'press' }])), /needs a key/);
});

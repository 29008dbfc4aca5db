// What pages teach about the program of their template, and when another one may be written.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SelectedValues, SelectorRun } from '../../../../../src/page/understanding.ts';
import {
  judge,
  NO_HISTORY,
  type ProgramHistory,
  programsIn,
  withWritten,
} from '../../../../../src/understand/json/program/program-history.ts';

const TEMPLATE = [1, 2, 3, 4];
const PROGRAM = { rules: [{ path: 'name', selector: 'h1', take: 'text', sample: 'Kettle' }], lists: [] };
const MINUTE = 60_000;
const DAY = 86_400_000;

const written = (history = NO_HISTORY, now = 0, template = TEMPLATE) =>
  withWritten(history, { template, program: PROGRAM, marks: {} }, { page: 1, now });

const seen = (history: ProgramHistory, more: Partial<SelectorRun> = {}): SelectedValues => {
  const id = history.templates[0]!.id;
  const run = { id, isSettled: true, value: {}, problems: [], citations: {}, empty: [], marks: {}, ...more };
  return { asked: '', template: TEMPLATE, run };
};

/** Judges pages in a row, and what is known then. */
function after(first: ProgramHistory, pages: number[], more: Partial<SelectorRun> = {}, now = 0) {
  let history = first;
  const advice = pages.map((page) => {
    const judgement = judge(history, seen(history, more), { page, now });
    history = judgement.changed ?? history;
    return judgement.advice;
  });
  return { history, advice };
}

const MISSES = { problems: ['`name` is missing'] };
const isSettled = (history: ProgramHistory) => programsIn(history)[0]!.isSettled;

test('a program is settled once it has fitted three more pages, whichever they are', () => {
  const { history } = after(written(), [2, 3, 3, 3, 1]);
  assert.equal(isSettled(history), false);
  const trusted = after(history, [4]).history;
  assert.equal(isSettled(trusted), true);
  assert.equal(judge(trusted, seen(trusted), { page: 5, now: 0 }).changed, undefined);
});

test('a trusted program is given up after three pages in a row, one on trial after two', () => {
  assert.deepEqual(after(written(), [2, 3], MISSES).advice, ['use', 'learn']);
  const trusted = after(written(), [2, 3, 4]).history;
  assert.deepEqual(after(trusted, [5, 6, 7], MISSES).advice, ['use', 'use', 'learn']);
  const recovered = after(after(trusted, [5, 6], MISSES).history, [7]).history;
  assert.deepEqual(after(recovered, [8, 9, 9], MISSES).advice, ['use', 'use', 'use']);
});

test('a field that is missing now and then is optional; one that stays away is doubted once', () => {
  const lacksPrice = { empty: ['price'] };
  const trusted = after(written(), [2, 3, 4]).history;
  const back = after(after(trusted, [5], lacksPrice).history, [6]).history;
  assert.deepEqual([programsIn(back)[0]!.optional, isSettled(back)], [['price'], true]);
  const gone = after(trusted, [5, 6, 7, 8, 9], lacksPrice);
  assert.deepEqual(gone.advice, ['use', 'use', 'use', 'use', 'learn']);
  assert.deepEqual(after(gone.history, [10, 11], lacksPrice).advice, ['use', 'use']);
});

test('a template is learnt anew at once, then after longer and longer waits, and after a day at once again', () => {
  let history = written();
  const waits: number[] = [];
  for (let now = MINUTE; now < DAY; now += MINUTE) {
    const { advice } = judge(
      history,
      { asked: '', template: TEMPLATE, run: seen(history, MISSES).run! },
      { page: now, now },
    );
    history = after(history, [now], MISSES, now).history;
    if (advice !== 'learn') continue;
    waits.push(now / MINUTE);
    history = withWritten(history, { template: TEMPLATE, marks: {} }, { page: now, now });
  }
  assert.deepEqual(waits, [2, 12, 52, 212, 852]);
  const later = history.templates[0]!.triedAt + DAY;
  assert.equal(judge(history, seen(history, MISSES), { page: -1, now: later }).advice, 'learn');
});

test('a site gets twenty programs a day, and those of the twelve last templates are kept', () => {
  let history = NO_HISTORY;
  const other = (at: number) => [at * 10 + 1, at * 10 + 2];
  const isDue = (at: number, now: number) =>
    judge(history, { asked: '', template: other(at) }, { page: at, now }).advice;
  for (let at = 0; at < 20; at++) {
    assert.equal(isDue(at, 0), 'learn');
    history = written(history, 0, other(at));
  }
  assert.equal(isDue(20, 0), 'use');
  assert.equal(history.templates.length, 12);
  assert.equal(isDue(20, DAY), 'learn');
});

test('a program that was written for the template since the page was read is looked at', () => {
  const history = written();
  assert.equal(judge(history, { asked: '', template: TEMPLATE }, { page: 2, now: 0 }).advice, 'look');
  const stale = { ...seen(history, { id: 'earlier' }), template: TEMPLATE };
  assert.equal(judge(history, stale, { page: 2, now: 0 }).advice, 'use');
});

test('what does not fit leaves the earlier program as it is, and its samples are not kept', () => {
  const history = withWritten(written(), { template: TEMPLATE, marks: {} }, { page: 2, now: 1 });
  assert.deepEqual(programsIn(history)[0]!.program, { rules: [{ ...PROGRAM.rules[0], sample: '' }], lists: [] });
  assert.equal(history.templates.length, 1);
});

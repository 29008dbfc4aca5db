// What the pages of jobs say: states, pace, advice, addresses, steps of agents, tables of data, differences.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TraceEvent } from '../../../../src/contracts/agent/agent-trace.ts';
import type { ListedJobView } from '../../../../src/contracts/crawl/job-list.ts';
import { ERROR_TABLE } from '../../../../src/contracts/errors/errors.ts';
import {
  addressOfJob,
  addSample,
  adviceOf,
  paceText,
  pagesText,
  type Sample,
  stateOf,
} from '../../../../web/console/jobs/describe.ts';
import { summaryText } from '../../../../web/console/jobs/monitors/summary.ts';
import { playgroundAddress } from '../../../../web/console/jobs/playground-address.ts';
import { recordsOf } from '../../../../web/console/jobs/runs/records.ts';
import { stepsOf } from '../../../../web/console/jobs/runs/steps.ts';

describe('a job in words', () => {
  test('a paused job is paused only while it runs', () => {
    assert.deepEqual(stateOf({ status: 'running', paused: true }), { tone: 'warn', text: 'Paused' });
    assert.equal(stateOf({ status: 'running' }).text, 'Running');
    assert.equal(stateOf({ status: 'cancelled', paused: true }).text, 'Cancelled');
  });

  test('a check is shown with its monitor, anything else by itself', () => {
    assert.equal(addressOfJob({ kind: 'crawl', id: 'a' }), '/console/jobs/crawl/a');
    assert.equal(addressOfJob({ kind: 'check', id: 'a', monitorId: 'm' }), '/console/jobs/monitor/m?check=a');
  });

  test('pages are counted, and failed ones are mentioned', () => {
    const job = { status: 'running', completed: 1_200, total: 1, failed: 0 } as ListedJobView;
    assert.equal(pagesText(job), '1,200 of 1 page');
    assert.equal(pagesText({ ...job, total: 2_000, failed: 3 }), '1,200 of 2,000 pages, 3 failed');
    assert.equal(pagesText({ status: 'completed', completed: 2, total: 2, failed: 1 }), '2 pages, 1 failed');
    assert.equal(pagesText({ status: 'cancelled', completed: 2, total: 5, failed: 0 }), '2 of 5 pages');
  });

  test('the pace is that of the last half minute, and nothing is said before it is known', () => {
    let samples: Sample[] = [];
    for (let second = 0; second <= 60; second += 2)
      samples = addSample(samples, { at: second * 1_000, ended: second * 3 });
    assert.equal(samples[0]!.at, 30_000);
    assert.equal(paceText(samples, 180), '3.0 pages/s, about 1 min 0 s left');
    assert.equal(paceText(samples, 0), '3.0 pages/s');
    assert.equal(
      paceText(
        [
          { at: 0, ended: 0 },
          { at: 1_000, ended: 5 },
        ],
        10,
      ),
      undefined,
    );
    assert.equal(
      paceText(
        [
          { at: 0, ended: 4 },
          { at: 9_000, ended: 4 },
        ],
        10,
      ),
      undefined,
    );
    assert.equal(
      paceText(
        [
          { at: 0, ended: 0 },
          { at: 30_000, ended: 1 },
        ],
        10,
      ),
      '2 pages/min, about 5 min 0 s left',
    );
    // Fewer pages than before: failed ones are tried again.
    assert.deepEqual(addSample([{ at: 0, ended: 9 }], { at: 1_000, ended: 5 }), [{ at: 1_000, ended: 5 }]);
  });

  test('every error code has an advice in a sentence', () => {
    for (const code of [...Object.keys(ERROR_TABLE), 'SOMETHING_ELSE'])
      assert.match(adviceOf(code), /^[A-Z].*\.$/s, code);
    assert.notEqual(adviceOf('SCRAPE_TIMEOUT'), adviceOf('SOMETHING_ELSE'));
  });

  test('a request opens in the playground if there is a form for it and the address can hold it', () => {
    const request = { url: 'https://example.com/?a=b&c', limit: 5 };
    const address = playgroundAddress('crawl', request)!;
    assert.deepEqual(JSON.parse(new URL(address, 'http://a.test').searchParams.get('request')!), request);
    assert.equal(playgroundAddress('batch', request), undefined);
    assert.equal(playgroundAddress('crawl', { prompt: 'a'.repeat(10_000) }), undefined);
  });
});

describe('a run', () => {
  const base = { schemaVersion: 1, runId: 'r', producerSequence: 1, occurredAt: '2026-01-01T00:00:00.000Z' } as const;
  const agent = { id: 'a', role: 'orchestrator', name: 'agent' } as const;
  const event = (eventId: string, fields: object): TraceEvent => ({ ...base, agent, eventId, ...fields }) as TraceEvent;

  test('is told in steps: a call with its result is one, and hostile texts are shown as they are', () => {
    const steps = stepsOf([
      event('1', { type: 'run.started' }),
      event('2', { type: 'agent.started' }),
      event('3', {
        type: 'tool_call.started',
        toolCallId: 'x',
        toolName: 'scrape',
        parameters: { url: 'http://a.test/\u202e' },
      }),
      event('4', { type: 'tool_call.finished', toolCallId: 'x', toolName: 'scrape', result: null }),
      event('5', { type: 'tool_call.started', toolCallId: 'y', toolName: 'search', parameters: null }),
      event('6', {
        type: 'artifact.updated',
        artifact: { kind: 'json', artifactId: 'd', snapshotId: 's', change: 'init' },
      }),
      event('7', { type: 'run.finished', outcome: 'credit_limit_reached', error: null }),
    ]);
    assert.deepEqual(
      steps.map(({ title, tone, text, snapshotId }) => [title, tone, text ?? snapshotId]),
      [
        ['Started', 'idle', undefined],
        ['scrape', 'good', 'http://a.test/\\u202e'],
        ['search', 'busy', undefined],
        ['Updated the result', 'good', 's'],
        ['Stopped at the limit of credits', 'warn', undefined],
      ],
    );
  });

  test('has a table if it found a list of records', () => {
    assert.deepEqual(recordsOf({ items: [{ a: 1 }, { b: ['x'] }], total: 2 }), {
      columns: ['a', 'b'],
      rows: [
        { a: '1', b: '' },
        { a: '', b: '["x"]' },
      ],
    });
    for (const other of [undefined, null, 'text', [], [1, 2], [{}, 1], {}, { a: [{}], b: [] }]) {
      assert.equal(recordsOf(other)?.rows.length ?? 0, 0, JSON.stringify(other));
    }
    const wide = recordsOf(
      Array.from({ length: 1_000 }, () => Object.fromEntries([...'abcdefghijkl'].map((name) => [name, 1]))),
    );
    assert.deepEqual([wide!.columns.length, wide!.rows.length], [8, 200]);
  });
});

test('a check is summed up', () => {
  const summary = { totalPages: 3, same: 1, changed: 1, new: 0, removed: 0, error: 1 };
  assert.equal(summaryText(summary), '3 pages: 1 changed, 1 failed');
  assert.equal(summaryText({ ...summary, changed: 0, error: 0 }), '3 pages, no change');
  assert.equal(summaryText(null), 'nothing yet');
});

// What is noted about attempts: bounded, without passwords, and only for those who asked.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../../../src/contracts/errors/errors.ts';
import type { FetchRequest } from '../../../../src/fetch/engine.ts';
import { type FetchTrace, noteAttempt, noteResponse, noteStep } from '../../../../src/fetch/explain/attempt-notes.ts';
import type { Attempt } from '../../../../src/fetch/plan.ts';
import { runAttempts } from '../../../../src/fetch/run.ts';
import type { Fetched, TransformResult } from '../../../../src/page/page.ts';

const opened = () => {
  const trace: FetchTrace = { attempts: [] };
  return { trace, notes: noteAttempt(trace, 'http', 'basic', 0)! };
};

test('without a trace nothing is noted, and the work is done all the same', async () => {
  assert.equal(noteAttempt(undefined, 'http', 'basic', 0), undefined);
  noteResponse(undefined, 'https://a.example/', 200);
  assert.equal(
    await noteStep(
      undefined,
      () => assert.fail('no clock is read'),
      'settle',
      async () => 7,
    ),
    7,
  );
});

test('responses never show a password, and neither their number nor their length is up to the site', () => {
  const { notes } = opened();
  noteResponse(notes, 'https://anna:secret@a.example/x', 302);
  noteResponse(notes, `https://a.example/${'y'.repeat(50_000)}`, 200);
  for (let at = 0; at < 500; at += 1) noteResponse(notes, 'https://a.example/loop', 302);
  assert.deepEqual(notes.responses[0], { url: 'https://a.example/x', status: 302 });
  assert.equal(notes.responses[1]!.url.length, 2_000);
  assert.equal(notes.responses.length, 50);
});

test('a step that fails is noted with its time', async () => {
  const { notes } = opened();
  const times = [100, 340];
  const failing = noteStep(
    notes,
    () => times.shift()!,
    'actions',
    async () => Promise.reject(new Error('no button')),
  );
  await assert.rejects(failing, /no button/);
  assert.deepEqual(notes.browser?.steps, [{ step: 'actions', ms: 240 }]);
});

test('a run notes each attempt: what came, what it was taken for, and why there was another one', async () => {
  const engine = (name: 'http' | 'browser', result: Partial<Fetched> | Error): Attempt['engine'] => ({
    name,
    async fetch({ notes }: FetchRequest) {
      noteResponse(notes, 'https://a.example/', 200);
      if (result instanceof Error) throw result;
      return { engine: name, status: 200, headers: {}, ...result } as Fetched;
    },
  });
  const planned: Attempt[] = [
    { engine: engine('http', { contentType: 'text/html', bytes: new Uint8Array(9) }), proxyClass: 'basic' },
    {
      engine: engine('browser', new ServiceError('SCRAPE_SITE_ERROR', { message: 'It is down.' })),
      proxyClass: 'enhanced',
      helpsAfter: ['shell'],
    },
  ];
  const trace: FetchTrace = { attempts: [] };
  let time = 0;
  const now = () => (time += 10);
  const interpret = async () => ({ verdict: { kind: 'empty-shell', reason: 'Only scripts.' } }) as TransformResult;
  const signal = new AbortController().signal;
  await runAttempts(planned, {} as FetchRequest, { interpret, now, signal, trace });
  const [first, second] = trace.attempts;
  assert.deepEqual(first?.verdict, { kind: 'empty-shell', reason: 'Only scripts.' });
  assert.deepEqual([first?.ended?.outcome, first?.bytes, first?.contentType], ['shell', 9, 'text/html']);
  assert.deepEqual(second?.error, { code: 'SCRAPE_SITE_ERROR', message: 'It is down.' });
  assert.equal(second?.ended?.outcome, 'failed');
});

test('an attempt that is cut off stays in the trace without an end', async () => {
  const trace: FetchTrace = { attempts: [] };
  const stop = new AbortController();
  const engine: Attempt['engine'] = {
    name: 'http',
    async fetch() {
      stop.abort(new ServiceError('SCRAPE_TIMEOUT'));
      throw new Error('aborted');
    },
  };
  const run = runAttempts([{ engine, proxyClass: 'basic' }], {} as FetchRequest, {
    interpret: async () => assert.fail('there is no page'),
    now: () => 0,
    signal: stop.signal,
    trace,
  });
  await assert.rejects(run, { code: 'SCRAPE_TIMEOUT' });
  assert.equal(trace.attempts.length, 1);
  assert.equal(trace.attempts[0]!.ended, undefined);
});

// The end of a command that follows a job.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Screen, ServiceSession } from '../../../../src/cli/command.ts';
import { openDocumentOutput } from '../../../../src/cli/documents/document-output.ts';
import { CRAWL } from '../../../../src/cli/jobs/job-kind.ts';
import { showJobs } from '../../../../src/cli/jobs/show-job.ts';

test('what interrupted the command decides its exit code: Ctrl-C, kill, or a reader that left', async () => {
  const notes: string[] = [];
  const screen = {
    note: (sentence: string) => void notes.push(sentence),
    progress: () => ({ update() {}, end() {} }),
  } as unknown as Screen;
  const api = { call: async (_: string, { signal }: { signal: AbortSignal }) => signal.throwIfAborted() };
  const session = { api, isEmbedded: false, isTemporary: false } as unknown as ServiceSession;
  const output = await openDocumentOutput(undefined, screen, session.api);
  const code = await showJobs({ kind: CRAWL, ids: ['1'], output }, { screen, signal: AbortSignal.abort() }, session);
  assert.equal(code, undefined);
  assert.match(notes.join('\n'), /The crawl goes on/);
});

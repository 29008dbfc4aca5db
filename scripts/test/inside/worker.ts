// A process that runs test files, one after the other, as the command asks for them by message. Each is a suite of its own,
// so its hooks at the top level are hooks of that suite. Ends once it is told to and nothing is left open.
import { describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import { setPart } from '../../../test/support/full-run.ts';
import { closeShared } from '../../../test/support/worker-end.ts';
import type { Part } from '../parts.ts';

export interface RunMessage {
  file: string;
  part: Part;
}

process.on('message', async (message: RunMessage | 'end') => {
  if (message !== 'end') {
    setPart(message.part);
    describe(message.file, async () => {
      await import(pathToFileURL(message.file).href);
    });
    return;
  }
  await closeShared();
  process.disconnect();
});

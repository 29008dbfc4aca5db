// A process that runs test files, one after the other, as the command asks for them by message. Each is a suite of its own,
// so its hooks at the top level are hooks of that suite. Ends once it is told to (by an empty name) and nothing is left open.
import { describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import { closeShared } from '../../../test/support/worker-end.ts';

process.on('message', async (file: string) => {
  if (file !== '') {
    describe(file, async () => {
      await import(pathToFileURL(file).href);
    });
    return;
  }
  await closeShared();
  process.disconnect();
});

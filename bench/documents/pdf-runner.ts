// Runs one PDF reader in a process with a heap of its own. Argument: the reader's module, whose toMarkdown(bytes) is called
// for each file.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

export interface PdfAnswer {
  markdown: string;
  /** Set if the reader failed. */
  error: string | undefined;
  /** User and system time of all threads of this process during the call. */
  cpuMs: number;
}

interface Reader {
  toMarkdown(bytes: Buffer): string | Promise<string>;
}

const { toMarkdown } = (await import(pathToFileURL(process.argv[2]!).href)) as Reader;

process.on('message', async (file: string) => {
  const bytes = readFileSync(file);
  const before = process.cpuUsage();
  let markdown = '';
  let error: string | undefined;
  try {
    markdown = await toMarkdown(bytes);
  } catch (thrown) {
    error = String(thrown);
  }
  const { user, system } = process.cpuUsage(before);
  process.send!({ markdown, error, cpuMs: (user + system) / 1000 } satisfies PdfAnswer);
});
process.send!('ready');

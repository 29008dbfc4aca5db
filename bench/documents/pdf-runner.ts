// One reader of PDFs in a process of its own, so that heaps do not mix. Its argument is the module, whose toMarkdown(bytes) is
// called for every file that is named.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

export interface PdfAnswer {
  markdown: string;
  /** Why there is no Markdown. */
  error: string | undefined;
  /** User and system time of all threads of this process while it worked on the file. */
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

// Runs one extractor in a process with a heap of its own. Argument: the extractor's module, whose toMarkdown(html, url) is
// called for each page. The parent process reads, fills and scores the pages.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

export interface ExtractRequest {
  /** File with the HTML: sending a large page over the channel would copy it several times. */
  file: string;
  url: string;
}

export interface ExtractAnswer {
  markdown: string;
  /** Set if the extractor failed. */
  error: string | undefined;
  /** User and system time of all threads of this process during the call. */
  cpuMs: number;
}

interface Extractor {
  toMarkdown(html: string, url: string): string | Promise<string>;
}

const { toMarkdown } = (await import(pathToFileURL(process.argv[2]!).href)) as Extractor;

process.on('message', async ({ file, url }: ExtractRequest) => {
  const html = readFileSync(file, 'utf8');
  const before = process.cpuUsage();
  let markdown = '';
  let error: string | undefined;
  try {
    markdown = await toMarkdown(html, url);
  } catch (thrown) {
    error = String(thrown);
  }
  const { user, system } = process.cpuUsage(before);
  process.send!({ markdown, error, cpuMs: (user + system) / 1000 } satisfies ExtractAnswer);
});
process.send!('ready');

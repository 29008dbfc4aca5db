// One extractor in a process of its own, so that heaps do not mix. Its argument is the module, whose toMarkdown(html, url)
// is called for every page that is sent. Reading, filling and scoring pages is the work of the parent.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

export interface ExtractRequest {
  /** Where the HTML is: through the channel, large pages would cost several copies of themselves. */
  file: string;
  url: string;
}

export interface ExtractAnswer {
  markdown: string;
  /** Why there is no Markdown. */
  error: string | undefined;
  /** User and system time of all threads of this process while it worked on the page. */
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

// `trawl scrape URL...`: pages in the formats that are asked for, one after another.
import { ApiError } from '../../../client/api-error.ts';
import type { Document } from '../../../contracts/scrape/document.ts';
import type { CommandBody, Invocation, ServiceSession } from '../../command.ts';
import { type DocumentOutput, openDocumentOutput } from '../../documents/document-output.ts';
import { EXIT } from '../../exit-codes.ts';
import { FILE_FORMATS, problemOf } from '../../output/document-text.ts';
import { putResult } from '../../output/one-result.ts';
import { OUTPUT_FLAG, targetOf } from '../../output/output-flag.ts';
import { readUrls } from '../../parse/read-urls.ts';
import { UsageError } from '../../usage-error.ts';

export const scrape: CommandBody = {
  usage: 'URL...',
  call: 'scrape',
  without: ['url'],
  common: ['formats', 'onlyMainContent', 'waitFor', 'maxAge', 'mobile', 'location.country', 'headers', 'actions'],
  flags: { output: OUTPUT_FLAG },
  examples: [
    'trawl scrape https://example.com | less',
    'trawl scrape https://example.com --formats markdown,links --json',
    'trawl scrape https://example.com --formats screenshot -o page.png',
    'cat urls.txt | trawl scrape - -o pages/',
  ],
  async run(invocation) {
    const urls = await readUrls(invocation.args, 'trawl scrape URL...');
    const isOne = urls.length === 1 && targetOf(invocation.flags.output).kind !== 'folder';
    checkFiles(invocation);
    const session = await invocation.connect();
    return isOne ? scrapeOne(urls[0]!, invocation, session) : scrapeAll(urls, invocation, session);
  },
};

/** Said before the work is done, and paid for. */
function checkFiles({ body, flags, screen }: Invocation): void {
  const types = [body.formats ?? []].flat().map((format) => (format as { type?: string }).type ?? String(format));
  const file = types.find((type) => (FILE_FORMATS as string[]).includes(type));
  if (file === undefined || screen.json || targetOf(flags.output).kind !== 'print') return;
  if (!screen.isTerminal && types.length === 1) return;
  throw new UsageError(`The format ${file} gives a file. Say where to write it, for example -o pages/`);
}

async function scrapeOne(url: string, invocation: Invocation, session: ServiceSession): Promise<number> {
  const { body, screen, signal } = invocation;
  const answer = await session.api.call('scrape', { body: { ...body, url } as never, signal });
  const document = answer.data as Document;
  await putResult({ document, answer }, invocation, session);
  return noteProblems(document, screen, answer.warning) ? EXIT.failed : EXIT.ok;
}

/** Whether the page is not what was asked for. */
function noteProblems(document: Document, screen: Invocation['screen'], warning?: string): boolean {
  const problem = problemOf(document);
  for (const note of new Set([warning, document.warning, problem])) if (note) screen.note(note);
  return problem !== undefined;
}

async function scrapeAll(urls: readonly string[], invocation: Invocation, session: ServiceSession): Promise<number> {
  const { flags, screen } = invocation;
  const output = await openDocumentOutput(flags.output as string | undefined, screen, session.api);
  const progress = screen.progress('Scraping');
  let failures = 0;
  try {
    for (const [done, url] of urls.entries()) {
      progress.update({ done, total: urls.length, note: url });
      if (!(await scrapeNext(url, invocation, session, output))) failures++;
    }
  } finally {
    progress.end();
    await output.close();
  }
  const read = urls.length - failures;
  if (output.path !== undefined) screen.note(`${read} of ${urls.length} pages are in ${output.path}`);
  if (failures === 0) return EXIT.ok;
  return read > 0 ? EXIT.partly : EXIT.failed;
}

/** False if the page could not be read. Anything else that goes wrong would go wrong with the other pages, too. */
async function scrapeNext(
  url: string,
  { body, screen, signal }: Invocation,
  { api }: ServiceSession,
  output: DocumentOutput,
): Promise<boolean> {
  try {
    const answer = await api.call('scrape', { body: { ...body, url } as never, signal });
    const document = answer.data as Document;
    await output.write(document);
    return !noteProblems(document, screen, answer.warning);
  } catch (error) {
    const isOfPage = error instanceof ApiError && error.status >= 400 && error.status !== 401;
    if (!isOfPage) throw error;
    screen.note(`${url}: ${error.message}`);
    return false;
  }
}

// `trawl crawl URL`: reads a site, and writes each page as it arrives.
import type { Command, CommandBody } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { jobCommands, NO_WAIT_FLAG, PAGES_FLAGS, pagesSoFar } from '../../jobs/job-commands.ts';
import { CRAWL } from '../../jobs/job-kind.ts';
import { refuseNoWait } from '../../jobs/needs-service.ts';
import { openPages, showJobs } from '../../jobs/show-job.ts';
import { onlyOne } from '../../parse/count-arguments.ts';
import { withProtocol } from '../../parse/read-urls.ts';
import { printTable } from '../../tables/print-table.ts';
import { UsageError } from '../../usage-error.ts';

const list: Command = {
  name: 'list',
  summary: 'List the crawls that run or are paused',
  async run({ connect, screen, signal }) {
    const { api } = await connect();
    const answer = await api.call('activeCrawls', { signal });
    const rows = answer.crawls.map(({ id, created_at, paused, url }) => [
      id,
      paused ? 'paused' : 'running',
      created_at,
      url,
    ]);
    printTable(screen, answer, ['ID', 'STATE', 'STARTED', 'URL'], rows, 'No crawl is running or paused.');
    return EXIT.ok;
  },
};

const extend: Command = {
  name: 'extend',
  summary: 'Raise the limit, and show the pages that this adds',
  usage: 'ID --limit N',
  call: 'updateCrawl',
  common: ['limit'],
  flags: { ...PAGES_FLAGS, 'no-wait': NO_WAIT_FLAG },
  async run(invocation) {
    const { args, body, flags, screen, signal } = invocation;
    const id = onlyOne(args, 'trawl crawl extend ID --limit N');
    if (body.limit === undefined) throw new UsageError('Set --limit to the new number of pages.');
    const session = await invocation.connect();
    const skip = await pagesSoFar(CRAWL, id, session, signal);
    await using output = flags['no-wait'] ? undefined : await openPages(invocation, session);
    const answer = await session.api.call('updateCrawl', { params: { id }, body: body as never, signal });
    if (output) return await showJobs({ kind: CRAWL, ids: [id], skip, output }, invocation, session);
    screen.print(screen.json ? JSON.stringify(answer) : id);
    return EXIT.ok;
  },
};

export const crawl: CommandBody = {
  usage: 'URL',
  call: 'crawl',
  lifted: ['scrapeOptions'],
  without: ['url'],
  common: ['limit', 'includePaths', 'excludePaths', 'maxDiscoveryDepth', 'crawlEntireDomain', 'delay', 'formats'],
  flags: { ...PAGES_FLAGS, 'no-wait': NO_WAIT_FLAG },
  examples: [
    'trawl crawl https://example.com -o pages/',
    'trawl crawl https://example.com/docs --limit 100 -o docs.jsonl',
  ],
  commands: [...jobCommands(CRAWL), extend, list],
  async run(invocation) {
    const { args, body, flags, screen, signal } = invocation;
    const url = withProtocol(onlyOne(args, 'trawl crawl URL'));
    const session = await invocation.connect();
    if (flags['no-wait']) refuseNoWait(session, 'crawl');
    await using output = flags['no-wait'] ? undefined : await openPages(invocation, session);
    const answer = await session.api.call('crawl', { body: { ...body, url }, signal });
    if (output) return await showJobs({ kind: CRAWL, ids: [answer.id], output }, invocation, session);
    screen.print(screen.json ? JSON.stringify(answer) : answer.id);
    return EXIT.ok;
  },
};

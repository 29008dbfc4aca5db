// `trawl collections`: lasting sets of pages that the service keeps up to date, and what has changed in them.

import type { CollectionView } from '../../../contracts/collection/collection.ts';
import type { SentBody } from '../../../contracts/route-types.ts';
import type { Command, CommandBody, Screen } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { needRunning } from '../../jobs/needs-service.ts';
import { onlyOne } from '../../parse/count-arguments.ts';
import { withProtocol } from '../../parse/read-urls.ts';
import { printFacts, printTable } from '../../tables/print-table.ts';
import { UsageError } from '../../usage-error.ts';

const list: Command = {
  name: 'list',
  summary: 'List collections',
  async run({ connect, screen, signal }) {
    const { api } = await connect();
    const answer = await api.call('listCollections', { signal });
    const rows = (answer.data as CollectionView[]).map(({ name, pages, currentRunId, lastRun, nextRunAt }) => [
      ...[name, pages, currentRunId === null ? (lastRun?.status ?? 'never run') : 'running', nextRunAt],
    ]);
    printTable(screen, answer, ['NAME', 'PAGES', 'LAST RUN', 'NEXT RUN'], rows, 'There is no collection.');
    return EXIT.ok;
  },
};

const put: Command = {
  name: 'put',
  summary: 'Make a collection, or set what it reads and when',
  usage: 'NAME [URL...]',
  call: 'putCollection',
  common: ['targets', 'schedule.text', 'schedule.cron', 'schedule.timezone', 'retentionDays'],
  flags: {
    crawl: { type: 'boolean', text: 'Read the sites that begin at the URLs, not only these pages.' },
    body: { type: 'json', value: '@FILE', text: 'The whole definition as JSON; other flags win.' },
  },
  examples: [
    'trawl collections put docs https://example.com --crawl --schedule.text daily',
    'trawl collections put prices https://example.com/pricing',
  ],
  async run({ args: [name, ...urls], body, flags, connect, screen, signal }) {
    if (name === undefined) throw new UsageError('Name the collection: trawl collections put NAME URL.');
    const session = await connect();
    needRunning(session, 'A collection is kept by a running service, and no service is running.');
    const given = { ...(flags.body as object | undefined), ...body } as SentBody<'putCollection'>;
    const named = urls.map(withProtocol);
    const targets = [
      ...(given.targets ?? []),
      ...(flags.crawl === true ? named.map((url) => ({ type: 'crawl' as const, url })) : []),
      ...(flags.crawl !== true && named.length > 0 ? [{ type: 'scrape' as const, urls: named }] : []),
    ];
    const sent = { ...given, ...(targets.length > 0 && { targets }) };
    const answer = await session.api.call('putCollection', { params: { name }, body: sent, signal });
    printCollection(screen, answer, answer.data as CollectionView);
    return EXIT.ok;
  },
};

const get: Command = {
  name: 'get',
  summary: 'Show a collection and its last run',
  usage: 'NAME',
  async run({ args, connect, screen, signal }) {
    const name = onlyOne(args, 'trawl collections get NAME');
    const { api } = await connect();
    const answer = await api.call('getCollection', { params: { name }, signal });
    printCollection(screen, answer, answer.data as CollectionView);
    return EXIT.ok;
  },
};

const run: Command = {
  name: 'run',
  summary: 'Run a collection now',
  usage: 'NAME',
  async run({ args, connect, screen, signal }) {
    const name = onlyOne(args, 'trawl collections run NAME');
    const { api } = await connect();
    const answer = await api.call('runCollection', { params: { name }, signal });
    if (screen.json) screen.print(JSON.stringify(answer));
    screen.note(`The run has begun. \`trawl collections get ${name}\` says how it ended.`);
    return EXIT.ok;
  },
};

const changes: Command = {
  name: 'changes',
  summary: 'Print what has changed, a line of JSON each',
  usage: 'NAME',
  flags: {
    since: { type: 'string', value: 'CURSOR', text: 'The cursor of the last line that you have. Default: everything.' },
    limit: { type: 'number', value: 'N', text: 'At most so many lines.' },
  },
  examples: ['trawl collections changes docs --since CURSOR'],
  async run({ args, flags, connect, screen, signal }) {
    const name = onlyOne(args, 'trawl collections changes NAME');
    const { api } = await connect();
    const { since, limit } = flags as { since?: string; limit?: number };
    const query = { ...(since !== undefined && { since }), ...(limit !== undefined && { limit: `${limit}` }) };
    const { body } = await api.download('collectionChanges', { params: { name }, query, signal });
    for await (const chunk of body) screen.printBytes(chunk);
    return EXIT.ok;
  },
};

const remove: Command = {
  name: 'delete',
  summary: 'Delete a collection with what it keeps',
  usage: 'NAME',
  async run({ args, connect, screen, signal }) {
    const name = onlyOne(args, 'trawl collections delete NAME');
    const { api } = await connect();
    const answer = await api.call('deleteCollection', { params: { name }, signal });
    if (screen.json) screen.print(JSON.stringify(answer));
    screen.note('The collection is deleted.');
    return EXIT.ok;
  },
};

export const collections: CommandBody = {
  commands: [list, put, get, run, changes, remove],
  examples: ['trawl collections put docs https://docs.example.com --crawl', 'trawl collections changes docs'],
};

function printCollection(screen: Screen, answer: unknown, view: CollectionView): void {
  const { name, pages, schedule, nextRunAt, lastRun, currentRunId, targets, cursor } = view;
  printFacts(screen, answer, {
    name,
    pages,
    targets: targets.map(({ type, urls, url }) => `${type} ${[urls ?? url ?? []].flat().join(' ')}`).join('; '),
    schedule: schedule && `${schedule.cron} (${schedule.timezone})`,
    'next run': nextRunAt,
    'running now': currentRunId,
    'last run': lastRun && `${lastRun.status} at ${lastRun.finishedAt}`,
    found: lastRun?.summary && summaryText(lastRun.summary),
    kept: lastRun?.kept.join(' '),
    cursor,
  });
}

const summaryText = (summary: Record<string, number>): string =>
  Object.entries(summary)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');

// `trawl archives` and `trawl import`: what was received for pages, as files of web archives.
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import type { Command, CommandBody } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { onlyOne } from '../../parse/count-arguments.ts';
import { printFacts, printTable } from '../../tables/print-table.ts';
import { UsageError } from '../../usage-error.ts';

const list: Command = {
  name: 'list',
  summary: 'List archives',
  flags: {
    limit: { type: 'number', value: 'N', text: 'How many: 1 to 100. [20]' },
    cursor: { type: 'string', value: 'ID', text: 'Those after this one.' },
  },
  async run({ flags, connect, screen, signal }) {
    const { api } = await connect();
    const { limit, cursor } = flags as { limit?: string; cursor?: string };
    const answer = await api.call('listArchives', { query: { limit, cursor }, signal });
    const rows = answer.data.map(({ id, kind, records, bytes, createdAt, name }) => [
      ...[id, kind, records, bytes],
      ...[createdAt, name],
    ]);
    const head = ['ID', 'KIND', 'RECORDS', 'BYTES', 'CREATED', 'NAME'];
    printTable(screen, answer, head, rows, 'There is no archive. Scrape or crawl with --archive to make one.');
    if (answer.next !== undefined) screen.note(`There are more: --cursor ${answer.next}`);
    return EXIT.ok;
  },
};

const remove: Command = {
  name: 'delete',
  summary: 'Delete an archive',
  usage: 'ID',
  async run({ args, connect, screen, signal }) {
    const id = onlyOne(args, 'trawl archives delete ID');
    const { api } = await connect();
    const answer = await api.call('deleteArchive', { params: { id }, signal });
    if (screen.json) screen.print(JSON.stringify(answer));
    else screen.note('The archive is deleted.');
    return EXIT.ok;
  },
};

export const archives: CommandBody = { commands: [list, remove] };

export const importArchive: CommandBody = {
  usage: 'FILE',
  examples: ['trawl import site.wacz', 'trawl scrape https://example.com/ --source.archive ID'],
  async run({ args, connect, screen, signal }) {
    const path = onlyOne(args, 'trawl import FILE');
    const content = await openAsBlob(path).catch((error: NodeJS.ErrnoException) => {
      throw new UsageError(`${path} cannot be read (${error.code}).`);
    });
    const { api } = await connect();
    const answer = await api.call('importArchive', { body: {}, file: { name: basename(path), content }, signal });
    const { id, records, bytes, expiresAt, warnings } = answer.data;
    printFacts(screen, answer, { ID: id, Records: records, Bytes: bytes, 'Kept until': expiresAt });
    for (const warning of warnings) screen.note(warning);
    return EXIT.ok;
  },
};

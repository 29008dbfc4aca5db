// `trawl migrate`: moves an embedded data folder into PostgreSQL and the object store that the settings name.
import { resolve } from 'node:path';
import type { CommandBody } from '../../command.ts';
import { noMoreThan } from '../../parse/count-arguments.ts';
import { UsageError } from '../../usage-error.ts';

const USAGE = 'trawl migrate --from DIR';

export const migrate: CommandBody = {
  flags: { from: { type: 'string', value: 'DIR', text: 'The data folder to move. It stays as it is.' } },
  examples: ['trawl migrate --from /srv/trawl'],
  async run({ args, flags, local, screen }) {
    noMoreThan(0, args, USAGE);
    if (typeof flags.from !== 'string') throw new UsageError(`Name the data folder to move: ${USAGE}`);
    const { tables, rows, blobs, lost } = await local.migrate(resolve(flags.from), screen.print);
    screen.print(
      `The folder is in the database: ${rows} rows of ${tables} tables and ${blobs} large contents. Their hashes are the same on both sides.`,
    );
    screen.print('Start Trawl with these settings. It builds the search index again from what is stored.');
    if (lost > 0) screen.print(`${lost} large contents were missing in the data folder itself.`);
    return undefined;
  },
};

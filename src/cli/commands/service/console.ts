// `trawl console`: a link into the console of the service that runs on this user's data folder.
import type { CommandBody } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { noMoreThan } from '../../parse/count-arguments.ts';
import { UsageError } from '../../usage-error.ts';

const NOT_RUNNING =
  'No service runs on this data folder. Start one with `trawl serve`, or set TRAWL_DATA_DIR to the folder of a running one.';
const ONCE = 'The link logs you in once, within an hour. It replaces the link before it.';

export const console: CommandBody = {
  examples: ['trawl console'],
  async run({ args, local, screen }) {
    noMoreThan(0, args, 'trawl console');
    const service = await local.findService();
    if (!service) throw new UsageError(NOT_RUNNING);
    const url = await local.openConsole(service);
    screen.print(screen.json ? JSON.stringify({ url }) : url);
    if (service.needsKey) screen.note(ONCE);
    return EXIT.ok;
  },
};

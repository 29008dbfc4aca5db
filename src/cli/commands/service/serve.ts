// `trawl serve`: the service, until it is told to stop.
import type { CommandBody } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { noMoreThan } from '../../parse/count-arguments.ts';

const STORE_FAILED =
  'The store has failed, so the service is stopping. The log has the cause. Nothing that was answered is lost.';

export const serve: CommandBody = {
  examples: ['trawl serve', 'TRAWL_PORT=8080 trawl serve', 'trawl help settings'],
  async run({ args, local, screen, signal }) {
    noMoreThan(0, args, 'trawl serve');
    const onFatal = () => {
      screen.note(STORE_FAILED);
      process.exit(EXIT.failed);
    };
    await local.serve({ say: screen.print, hasReader: screen.isTerminal, onFatal }, signal);
    return EXIT.ok;
  },
};

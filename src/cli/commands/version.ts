// `trawl version`
import { readVersion } from '../../util/version.ts';
import type { CommandBody } from '../command.ts';

export const version: CommandBody = {
  async run({ screen }) {
    screen.print(readVersion());
    return undefined;
  },
};

// `trawl version`
import { readVersion } from '../../runtime/version.ts';
import type { CommandBody } from '../command.ts';

export const version: CommandBody = {
  async run({ screen }) {
    screen.print(readVersion());
    return undefined;
  },
};

// `trawl backup` and `trawl restore`: copies of the data folder, made beside a running service and put back.
import { resolve } from 'node:path';
import type { CommandBody } from '../../command.ts';
import { onlyOne } from '../../parse/count-arguments.ts';

export const backup: CommandBody = {
  usage: 'DIR',
  flags: { copy: { type: 'boolean', text: 'Copy every file instead of linking to it: for another disk.' } },
  examples: ['trawl backup /backups/trawl-monday', 'trawl backup /mnt/disk/trawl --copy'],
  async run({ args, flags, local, screen }) {
    const folder = resolve(onlyOne(args, 'trawl backup DIR [--copy]'));
    const { files, bytes, lost, moved } = await local.backup(folder, flags.copy === true, screen.print);
    screen.print(`The backup is complete: ${folder} (${files} files, ${Math.ceil(bytes / 1_048_576)} MB).`);
    screen.print(
      'It holds everything that the data folder holds, the secret that encrypts and signs included. Keep it as safe as the folder itself.',
    );
    if (moved > 0) {
      screen.print(`${moved} stored contents are in the object store. Back up its bucket, too.`);
    }
    if (lost > 0) {
      screen.print(`${lost} stored contents are missing in the data folder itself. Run \`trawl doctor\`.`);
    }
    return undefined;
  },
};

export const restore: CommandBody = {
  usage: 'DIR',
  examples: ['trawl restore /backups/trawl-monday', 'TRAWL_DATA_DIR=/srv/trawl trawl restore /backups/trawl-monday'],
  async run({ args, local, screen }) {
    const folder = resolve(onlyOne(args, 'trawl restore DIR'));
    const { dataDir, files, createdAt } = await local.restore(folder, screen.print);
    screen.print(
      `The backup of ${createdAt} is in ${dataDir} (${files} files). Start the service: it continues the jobs that were running then.`,
    );
    screen.print('The search index is not part of a backup. The service rebuilds it.');
    return undefined;
  },
};

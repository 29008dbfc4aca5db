// `trawl backup` and `trawl restore`: copies of the data folder, made beside a running service and put back.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { UsageError } from './usage-error.ts';

export const BACKUP_USAGE = 'Usage: trawl backup DIR [--copy]';
export const RESTORE_USAGE = 'Usage: trawl restore DIR';

interface BackupTools {
  backup(target: string, copy: boolean): Promise<{ files: number; bytes: number; lost: number }>;
}
interface RestoreTools {
  dataDir: string;
  restore(source: string): Promise<{ files: number; createdAt: string }>;
}

/** Returns the lines to print. */
export async function runBackup(args: string[], { backup }: BackupTools): Promise<string[]> {
  const { folder, copy } = parse(args, BACKUP_USAGE);
  const { files, bytes, lost } = await backup(folder, copy);
  return [
    `The backup is complete: ${folder} (${files} files, ${Math.ceil(bytes / 1_048_576)} MB).`,
    'It holds everything that the data folder holds, the secret that encrypts and signs included. Keep it as safe as the folder itself.',
    ...(lost > 0 ? [`${lost} stored contents are missing in the data folder itself. Run \`trawl doctor\`.`] : []),
  ];
}

export async function runRestore(args: string[], { dataDir, restore }: RestoreTools): Promise<string[]> {
  const { folder } = parse(args, RESTORE_USAGE);
  const { files, createdAt } = await restore(folder);
  return [
    `The backup of ${createdAt} is in ${dataDir} (${files} files). Start the service: it continues the jobs that were running then.`,
    'The search index is not part of a backup. The service rebuilds it.',
  ];
}

function parse(args: string[], usage: string): { folder: string; copy: boolean } {
  try {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { copy: { type: 'boolean' } } });
    const [folder, ...rest] = positionals;
    if (folder && rest.length === 0) return { folder: resolve(folder), copy: values.copy === true };
  } catch {}
  throw new UsageError(usage);
}

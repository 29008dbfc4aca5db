// Where the data is if TRAWL_DATA_DIR does not say it: in the current folder of a checkout, else in the user's own.
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { isPackage } from '../../runtime/installation.ts';
import { SettingError } from '../../util/setting-error.ts';
import { setting } from '../rules.ts';

export const DATA_FOLDER_SETTINGS = {
  dataDir: setting(
    'TRAWL_DATA_DIR',
    '.trawl; of the npm package: ~/.local/share/trawl',
    z
      .string()
      .min(1)
      .transform((path) => resolve(path))
      .optional(),
    'Folder for all stored data: keys, cache, results.',
  ),
};

interface Machine {
  isPackage: boolean;
  platform: NodeJS.Platform;
  home(): string;
}

const THIS_MACHINE: Machine = { isPackage, platform: process.platform, home: homedir };

/** For those who need no other setting of the service. */
export function dataFolder(env: NodeJS.ProcessEnv = process.env): string {
  const given = env.TRAWL_DATA_DIR?.trim();
  return given ? resolve(given) : defaultDataFolder(env);
}

/** The package can be started anywhere, and must find the same data everywhere. */
export function defaultDataFolder(env: NodeJS.ProcessEnv, machine = THIS_MACHINE): string {
  if (!machine.isPackage) return resolve('.trawl');
  try {
    return join(userDataFolder(env, machine), 'trawl');
  } catch {
    throw new SettingError('This user has no home folder. Set TRAWL_DATA_DIR to the folder for all stored data.');
  }
}

function userDataFolder({ XDG_DATA_HOME, LOCALAPPDATA }: NodeJS.ProcessEnv, { platform, home }: Machine): string {
  if (platform === 'win32') return LOCALAPPDATA || join(home(), 'AppData', 'Local');
  if (platform === 'darwin') return join(home(), 'Library', 'Application Support');
  // By the XDG specification, a relative path is ignored.
  return XDG_DATA_HOME?.startsWith('/') ? XDG_DATA_HOME : join(home(), '.local', 'share');
}

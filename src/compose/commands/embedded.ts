// A service for one command: on loopback, with a key that nobody else knows, on the user's data folder if that is free.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EmbeddedService } from '../../cli/local-tools.ts';
import type { Config } from '../../config/settings.ts';
import { isFolderInUse } from '../../store/data-folder/folder-lock.ts';
import { randomToken } from '../../util/ids.ts';
import { createService } from '../service.ts';

const KEY_BYTES = 24;

/** `note` is told if the command cannot use what is stored. */
export async function startEmbedded(config: Config, note: (sentence: string) => void): Promise<EmbeddedService> {
  try {
    return await start(config, config.dataDir);
  } catch (error) {
    const reason = unusable(config.dataDir, error);
    if (reason === undefined) throw error;
    note(`${reason} This command uses a temporary folder.`);
    const folder = await mkdtemp(join(tmpdir(), 'trawl-'));
    const remove = () => rm(folder, { recursive: true, force: true });
    const service = await start(config, folder).catch(async (failure: unknown) => {
      await remove();
      throw failure;
    });
    const close = async () => {
      await service.close();
      await remove();
    };
    return { ...service, isTemporary: true, close };
  }
}

async function start(config: Config, dataDir: string): Promise<EmbeddedService> {
  const key = `fc-${randomToken(KEY_BYTES)}`;
  const own: Partial<Config> = {
    ...{ dataDir, host: '127.0.0.1', port: 0, apiKey: key, auth: 'required', publicUrl: undefined },
    // The person who typed the command reads one sentence, not a log.
    logLevel: config.logLevel === 'debug' ? 'debug' : 'silent',
    // Its address ends with the command, so searches must not find it there.
    indexManual: false,
  };
  const { url, close } = await createService({ ...config, ...own }, { isEmbedded: true });
  return { url, key, isTemporary: false, close };
}

function unusable(dataDir: string, error: unknown): string | undefined {
  const { code, cause } = error as NodeJS.ErrnoException;
  const reason = code ?? (cause as NodeJS.ErrnoException | undefined)?.code;
  if (reason === 'EACCES' || reason === 'EROFS') return `The data folder ${dataDir} cannot be written.`;
  return isFolderInUse(dataDir) ? `Another command is using the data folder ${dataDir}.` : undefined;
}

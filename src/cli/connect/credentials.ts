// Keys of services that commands have made for themselves, by URL, in a file that only its owner can read.
import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder } from '../../runtime/private-files.ts';
import { randomToken } from '../../util/ids.ts';

export interface Credentials {
  find(url: string): string | undefined;
  store(url: string, key: string): void;
}

const MAX_ENTRIES = 100;
const NAME_BYTES = 6;

export function openCredentials(configFolder: string): Credentials {
  const file = join(configFolder, 'credentials.json');
  const readAll = (): Record<string, string> => {
    try {
      const all: unknown = JSON.parse(readFileSync(file, 'utf8'));
      return typeof all === 'object' && all !== null ? (all as Record<string, string>) : {};
    } catch {
      // Absent or damaged: the keys are made again.
      return {};
    }
  };
  return {
    find(url) {
      const all = readAll();
      const key = Object.hasOwn(all, url) ? all[url] : undefined;
      return typeof key === 'string' ? key : undefined;
    },
    store(url, key) {
      makePrivateFolder(configFolder);
      const { [url]: _, ...others } = readAll();
      // The newest stay: services on changing ports would fill the file.
      const entries = [...Object.entries(others), [url, key]].slice(-MAX_ENTRIES);
      const part = `${file}.${randomToken(NAME_BYTES)}`;
      writeFileSync(part, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`, { mode: 0o600 });
      chmodSync(part, 0o600);
      renameSync(part, file);
    },
  };
}

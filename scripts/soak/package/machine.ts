// A newcomer's machine, as far as it matters here: a home folder, an empty npm cache, one Node, and this machine's programs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface Machine {
  home: string;
  npmCache: string;
  env: Record<string, string>;
}

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
  seconds: number;
}

/** What says where npm gets packages from. */
const NETWORK =
  /^(?:npm_config_(?:registry|.*proxy|ca|cafile|strict_ssl)|\w+_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+)$/i;
const RUN_MS = 600_000;

/** The PATH without the programs of the project. */
export const SYSTEM_PATH = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.endsWith(join('node_modules', '.bin')))
  .join(delimiter);

export function makeMachine(folder: string, node: string, settings: Record<string, string>): Machine {
  const home = mkdtempSync(join(folder, 'home-'));
  const bin = join(home, 'node');
  mkdirSync(bin);
  symlinkSync(node, join(bin, 'node'));
  const npmCache = join(home, 'npm-cache');
  const network = Object.entries(process.env).filter(([name]) => NETWORK.test(name)) as [string, string][];
  const env = {
    ...Object.fromEntries(network),
    ...settings,
    PATH: `${bin}${delimiter}${SYSTEM_PATH}`,
    HOME: home,
    npm_config_cache: npmCache,
    npm_config_update_notifier: 'false',
  };
  return { home, npmCache, env };
}

export async function run({ home, env }: Machine, program: string, args: readonly string[]): Promise<Ran> {
  const began = performance.now();
  const child = spawn(program, args, { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: RUN_MS });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  const [code] = await once(child, 'close');
  return { code, ...output, seconds: (performance.now() - began) / 1000 };
}

export function folderBytes(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

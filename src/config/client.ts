// Settings of the programs that talk to a service: the command line and the MCP server on standard input.
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

interface ClientSettings {
  /** TRAWL_URL, or FIRECRAWL_API_URL, which people have set for the public clients. */
  url: string | undefined;
  /** TRAWL_API_KEY, or FIRECRAWL_API_KEY with the latter. */
  key: string | undefined;
  /** The folder for settings of this user's programs. Undefined for a user without a home folder. */
  configFolder: string | undefined;
  /** The home folder of this user, and where its applications keep their settings. Undefined without a home folder. */
  home: string | undefined;
  applicationFolder: string | undefined;
  /** TRAWL_MCP_TOOLS, as it was written. */
  mcpTools: string | undefined;
  /** How other programs start this one. */
  program: readonly string[];
  /** TRAWL_LOG_LEVEL=debug: unexpected errors are shown with their stack. */
  isDebug: boolean;
}

const PROGRAM = join(import.meta.dirname, '../../bin/trawl.mjs');
/** A copy of npx is gone when its cache is cleaned. */
const OF_NPX = /[\\/]_npx[\\/]/;

export function readClientSettings(env: NodeJS.ProcessEnv = process.env, homeOf = homedir): ClientSettings {
  const set = (name: string) => env[name]?.trim() || undefined;
  const home = folderOf(homeOf);
  // A key is only for the address that was set with it: it must not reach the service of somebody else.
  const isSetForPublicClients = set('TRAWL_URL') === undefined && set('FIRECRAWL_API_URL') !== undefined;
  return {
    url: set(isSetForPublicClients ? 'FIRECRAWL_API_URL' : 'TRAWL_URL'),
    key: set(isSetForPublicClients ? 'FIRECRAWL_API_KEY' : 'TRAWL_API_KEY'),
    configFolder: configFolder(env, home),
    home,
    applicationFolder: home && applicationFolder(env, home),
    mcpTools: set('TRAWL_MCP_TOOLS'),
    program: OF_NPX.test(PROGRAM) ? ['npx', '-y', 'trawl'] : [process.execPath, PROGRAM],
    isDebug: set('TRAWL_LOG_LEVEL') === 'debug',
  };
}

function folderOf(home: () => string): string | undefined {
  try {
    return home();
  } catch {
    return undefined;
  }
}

/** By the XDG specification, a relative path is ignored. */
const xdgFolder = ({ XDG_CONFIG_HOME: folder }: NodeJS.ProcessEnv): string | undefined =>
  folder && isAbsolute(folder) ? folder : undefined;

function configFolder(env: NodeJS.ProcessEnv, home: string | undefined): string | undefined {
  const folder = xdgFolder(env) ?? (home && join(home, '.config'));
  return folder && join(folder, 'trawl');
}

function applicationFolder(env: NodeJS.ProcessEnv, home: string): string {
  if (process.platform === 'win32') return env.APPDATA || join(home, 'AppData', 'Roaming');
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support');
  return xdgFolder(env) ?? join(home, '.config');
}

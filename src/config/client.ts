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
  /** TRAWL_LOG_LEVEL=debug: unexpected errors are shown with their stack. */
  isDebug: boolean;
}

export function readClientSettings(env: NodeJS.ProcessEnv = process.env, home = homedir): ClientSettings {
  const set = (name: string) => env[name]?.trim() || undefined;
  // A key is only for the address that was set with it: it must not reach the service of somebody else.
  const isSetForPublicClients = set('TRAWL_URL') === undefined && set('FIRECRAWL_API_URL') !== undefined;
  return {
    url: set(isSetForPublicClients ? 'FIRECRAWL_API_URL' : 'TRAWL_URL'),
    key: set(isSetForPublicClients ? 'FIRECRAWL_API_KEY' : 'TRAWL_API_KEY'),
    configFolder: configFolder(env, home),
    isDebug: set('TRAWL_LOG_LEVEL') === 'debug',
  };
}

function configFolder({ XDG_CONFIG_HOME }: NodeJS.ProcessEnv, home: () => string): string | undefined {
  try {
    // By the XDG specification, a relative path is ignored.
    return join(XDG_CONFIG_HOME && isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : join(home(), '.config'), 'trawl');
  } catch {
    return undefined;
  }
}

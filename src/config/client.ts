// Settings of the programs that talk to a service: the command line and the MCP server on standard input.
import { homedir } from 'node:os';
import { join } from 'node:path';

export interface ClientSettings {
  /** TRAWL_URL */
  url: string | undefined;
  /** TRAWL_API_KEY */
  key: string | undefined;
  /** The folder for settings of this user's programs. */
  configFolder: string;
  /** TRAWL_LOG_LEVEL=debug: unexpected errors are shown with their stack. */
  isDebug: boolean;
}

export function readClientSettings(env: NodeJS.ProcessEnv = process.env): ClientSettings {
  const set = (name: string) => env[name]?.trim() || undefined;
  return {
    url: set('TRAWL_URL'),
    key: set('TRAWL_API_KEY'),
    configFolder: join(set('XDG_CONFIG_HOME') ?? join(homedir(), '.config'), 'trawl'),
    isDebug: set('TRAWL_LOG_LEVEL') === 'debug',
  };
}

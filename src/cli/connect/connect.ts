// Finds the service that a command talks to: the one that is named, the one that runs on this user's data folder, or one
// that is started for this command.
import { type ApiClient, createApiClient } from '../../client/api-client.ts';
import { ApiError } from '../../client/api-error.ts';
import { connectOverHttp } from '../../client/http-connection.ts';
import type { Invocation, Screen, ServiceSession } from '../command.ts';
import type { LocalTools } from '../local-tools.ts';
import { UsageError } from '../usage-error.ts';
import { openCredentials } from './credentials.ts';

export interface OpenedSession extends ServiceSession {
  close(): Promise<void>;
}

interface ConnectOptions {
  flags: Invocation['flags'];
  local: LocalTools;
  screen: Pick<Screen, 'note'>;
  /** Named in the service's list of requests. */
  origin: string;
}

const KEY_LABEL = 'command line';

export async function connect({ flags, local, screen, origin }: ConnectOptions): Promise<OpenedSession> {
  const named = (flags.url as string | undefined) ?? local.client.url;
  const key = (flags.key as string | undefined) ?? keyFor(named, local.client);
  if (named !== undefined) return open(named, key ?? storedKey(named, local.client), origin);
  const found = await local.findService();
  if (!found) return openEmbedded(local, screen, origin);
  if (key !== undefined || !found.needsKey) return open(found.url, key, origin);
  return open(found.url, await ownKey(found.url, { local, screen, origin }), origin);
}

/** A key that was set together with an address is not sent to another one. */
const keyFor = (named: string | undefined, { url, key }: LocalTools['client']): string | undefined =>
  url === undefined || url === named ? key : undefined;

const storedKey = (url: string, { configFolder }: LocalTools['client']): string | undefined =>
  configFolder === undefined ? undefined : openCredentials(configFolder).find(url);

function open(url: string, key: string | undefined, origin: string): OpenedSession {
  const { send, close } = connectOverHttp(url);
  const api = createApiClient({ send, ...(key !== undefined && { key }), origin });
  return { api, url, isEmbedded: false, isTemporary: false, close };
}

async function openEmbedded(local: LocalTools, screen: Pick<Screen, 'note'>, origin: string): Promise<OpenedSession> {
  const service = await local.startEmbedded(screen.note);
  const session = open(service.url, service.key, origin);
  return {
    ...session,
    isEmbedded: true,
    isTemporary: service.isTemporary,
    async close() {
      await session.close();
      await service.close();
    },
  };
}

/** The stored key if it is still valid, else a new one. Who may open the data folder may make keys. */
async function ownKey(url: string, { local, screen, origin }: Omit<ConnectOptions, 'flags'>): Promise<string> {
  if (local.client.configFolder === undefined) {
    throw new UsageError(
      'This user has no home folder to store a key in. Set TRAWL_API_KEY, or XDG_CONFIG_HOME to a folder.',
    );
  }
  const credentials = openCredentials(local.client.configFolder);
  const stored = credentials.find(url);
  if (stored !== undefined && (await isValid(url, stored, origin))) return stored;
  const ring = await local.openKeyRing();
  try {
    const { key } = await ring.create(ring.defaultTeam, { label: KEY_LABEL, limits: {} });
    credentials.store(url, key);
    screen.note(
      `Made a key for this command line (label "${KEY_LABEL}", see \`trawl keys list\`) and stored it in ${local.client.configFolder}.`,
    );
    return key;
  } finally {
    await ring.close();
  }
}

async function isValid(url: string, key: string, origin: string): Promise<boolean> {
  const session = open(url, key, origin);
  try {
    return await accepts(session.api);
  } finally {
    await session.close();
  }
}

async function accepts(api: ApiClient): Promise<boolean> {
  try {
    await api.call('queueStatus');
    return true;
  } catch (error) {
    // Anything else is for the call itself to meet.
    return !(error instanceof ApiError && error.status === 401);
  }
}

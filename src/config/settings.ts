// Every setting: its environment variable, its rule, its default and what it is for. The only reader of process.env.
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import { parseAllowList } from '../net/addresses/allow-list.ts';
import { parseDnsServers } from '../net/addresses/resolver.ts';
import { parseProxyList } from '../net/connections/upstream-proxies.ts';
import {
  PROVIDER_NAMES,
  PROVIDER_NEEDS,
  type ProviderName,
  type ProviderSettings,
} from '../search/providers/provider-names.ts';
import { LOG_LEVELS } from '../util/log.ts';
import { BROWSER_SETTINGS } from './browser.ts';
import { DOCUMENT_SETTINGS } from './documents.ts';
import { LISTED_NAMES, type ProviderVariables, parseProviderOrder, readProviders } from './providers.ts';
import {
  baseUrl,
  httpUrl,
  integer,
  list,
  megabytes,
  oneOf,
  readBy,
  type Setting,
  type SharedSetting,
  setting,
  text,
} from './rules.ts';

export const TEAM_FEATURES = ['zdr', 'anon', 'threat-protection'] as const;
export type TeamFeature = (typeof TEAM_FEATURES)[number];

export const SETTINGS = {
  host: setting(
    'TRAWL_HOST',
    '127.0.0.1',
    text('127.0.0.1').transform((host) => (host === 'localhost' ? '127.0.0.1' : host)),
    'Address to listen on. Any other than loopback needs authentication.',
  ),
  port: setting('TRAWL_PORT', '3002', integer(3002, 0, 65_535), 'Port to listen on; 0 takes a free one and prints it.'),
  dataDir: setting(
    'TRAWL_DATA_DIR',
    '.trawl',
    text('.trawl').transform((path) => resolve(path)),
    'Folder for everything that is kept: keys, cache, results.',
  ),
  apiKey: setting(
    'TRAWL_API_KEY',
    'none',
    z.string().min(8, 'it must have at least 8 characters').optional(),
    'One more key that is valid while this is set; it belongs to the default team and is not stored.',
    true,
  ),
  auth: setting(
    'TRAWL_AUTH',
    'required',
    oneOf(['required', 'off'], 'required'),
    'off: no key is asked for (loopback only) and any is accepted.',
  ),
  publicUrl: setting(
    'TRAWL_PUBLIC_URL',
    'none',
    httpUrl.optional(),
    'The base URL under which clients reach the service, for links in answers.',
  ),
  proxy: setting(
    'TRAWL_PROXY',
    'none',
    readBy(parseProxyList).default(() => []),
    'Upstream HTTP proxies for what goes to targets; an entry may be COUNTRY=URL, e.g. DE=http://proxy:8080.',
    true,
  ),
  proxyEnhanced: setting(
    'TRAWL_PROXY_ENHANCED',
    'none',
    readBy(parseProxyList).default(() => []),
    'Upstream proxies for `proxy: enhanced`, written likewise.',
    true,
  ),
  dns: setting(
    'TRAWL_DNS',
    "the system's",
    readBy(parseDnsServers).default(() => []),
    'Name servers to ask, as ip or ip:port.',
  ),
  allowNetworks: setting(
    'TRAWL_ALLOW_NETWORKS',
    'none',
    readBy(parseAllowList).default(() => parseAllowList('')),
    'Hosts (also *.domain) and CIDRs that may be reached although they are private.',
  ),
  userAgent: setting(
    'TRAWL_USER_AGENT',
    'a current browser',
    z.string().min(1).optional(),
    'Replaces the browser-like User-Agent of scrapes.',
  ),
  contact: setting(
    'TRAWL_CONTACT',
    'none',
    z.string().min(1).optional(),
    'A URL or address that site owners can reach you at; part of the identity that crawls send.',
  ),
  teamFeatures: setting(
    'TRAWL_TEAM_FEATURES',
    'zdr,anon',
    z
      .string()
      .transform((names) => (names.trim() === 'none' ? [] : list(names)))
      .pipe(z.array(z.enum(TEAM_FEATURES, `it may hold: ${TEAM_FEATURES.join(', ')}`)))
      .default(() => ['zdr', 'anon'] as TeamFeature[]),
    'What teams may ask for: zdr (zero data retention), anon, threat-protection; or none.',
  ),
  logLevel: setting(
    'TRAWL_LOG_LEVEL',
    'info',
    oneOf(LOG_LEVELS, 'info'),
    `How much is logged: ${LOG_LEVELS.join(', ')}.`,
  ),
  maxRequestBytes: setting('TRAWL_MAX_REQUEST_MB', '10', megabytes(10), 'Largest JSON request body.'),
  maxUploadBytes: setting('TRAWL_MAX_UPLOAD_MB', '50', megabytes(50), 'Largest uploaded file.'),
  maxPageBytes: setting('TRAWL_MAX_PAGE_MB', '50', megabytes(50), 'Largest page, as fetched and as decompressed.'),
  cacheMaxBytes: setting(
    'TRAWL_CACHE_MAX_MB',
    '10240',
    megabytes(10_240),
    'Size of the page cache; the least recently used pages go first.',
  ),
  maxConcurrency: setting(
    'TRAWL_MAX_CONCURRENCY',
    '64',
    integer(64, 1, 10_000),
    'Scrapes that run at once for one team; more wait in line.',
  ),
  maxJobs: setting(
    'TRAWL_MAX_JOBS',
    '1000',
    integer(1_000, 1, 100_000),
    'Unfinished crawls and batches of one team; more are refused with 429.',
  ),
  webhookSecret: setting(
    'TRAWL_WEBHOOK_SECRET',
    'none',
    z.string().min(1).optional(),
    'Signs webhook calls: X-Firecrawl-Signature is the HMAC-SHA256 of the body.',
    true,
  ),
  indexManual: setting(
    'TRAWL_INDEX_MANUAL',
    'on',
    oneOf(['on', 'off'], 'on').transform((choice) => choice === 'on'),
    'off: the manual is not put into the search index at the start.',
  ),
  providerOrder: setting(
    'TRAWL_SEARCH_PROVIDERS',
    'all that can be asked',
    readBy(parseProviderOrder).optional(),
    `Who is asked in a search, and in which order: ${LISTED_NAMES.join(', ')}. \`index\` is this service's own; duckduckgo, which only has a page for people, is asked only if it is named.`,
  ),
  keylessProviders: setting(
    'TRAWL_KEYLESS_PROVIDERS',
    'on',
    oneOf(['on', 'off'], 'on'),
    'off: only search providers with a key or URL of yours are asked, so that no query leaves for anyone else.',
  ),
  providerKeys: {
    names: PROVIDER_NAMES.filter((name) => PROVIDER_NEEDS[name].key !== 'none'),
    ...setting(
      'TRAWL_<NAME>_API_KEY',
      'none',
      z.string().transform(list).optional(),
      'Keys of a search provider, for example `TRAWL_BRAVE_API_KEY`; the next one is used when one is used up.',
      true,
    ),
  },
  providerUrls: {
    names: PROVIDER_NAMES,
    ...setting(
      'TRAWL_<NAME>_URL',
      "the provider's own",
      baseUrl.optional(),
      'Base URL of a search provider, for example `TRAWL_SEARXNG_URL`; it may be private. searxng and v2 (a server like this one) need it.',
      // It may hold a password.
      true,
    ),
  },
  googleEngine: setting(
    'TRAWL_GOOGLE_CX',
    'none',
    z.string().min(1).optional(),
    'The id of the programmable search engine that Google is asked for; its key needs it.',
  ),
  transformWorkers: setting(
    'TRAWL_TRANSFORM_WORKERS',
    "the machine's cores",
    integer(availableParallelism(), 1, 256),
    'Threads that turn pages into Markdown.',
  ),
  ...BROWSER_SETTINGS,
  ...DOCUMENT_SETTINGS,
} satisfies Record<string, Setting<unknown> | SharedSetting<unknown>>;

type Value<S> =
  S extends SharedSetting<infer T>
    ? Partial<Record<ProviderName, NonNullable<T>>>
    : S extends Setting<infer T>
      ? T
      : never;
type Values = { [Name in keyof typeof SETTINGS]: Value<(typeof SETTINGS)[Name]> };

export type Config = Omit<Values, keyof ProviderVariables> & {
  searchProviders: ProviderSettings;
  /** The folders with this machine's programs. */
  searchPath: string;
};

/** Said to the operator in one sentence; the program stops. */
export class ConfigError extends Error {}

export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const read = (variable: string, { schema, secret }: Setting<unknown>) => {
    const raw = env[variable]?.trim();
    const parsed = schema.safeParse(raw === '' ? undefined : raw);
    if (parsed.success) return parsed.data;
    const shown = secret ? '' : `=${JSON.stringify(raw)}`;
    throw new ConfigError(`${variable}${shown} cannot be used: ${parsed.error.issues[0]!.message}.`);
  };
  const readShared = (shared: SharedSetting<unknown>) =>
    Object.fromEntries(
      shared.names.map((name) => [name, read(shared.env.replace('<NAME>', name.toUpperCase()), shared)]),
    );
  const entries = Object.entries(SETTINGS).map(([name, setting]) => [
    name,
    'names' in setting ? readShared(setting) : read(setting.env, setting),
  ]);
  const { providerOrder, keylessProviders, providerKeys, providerUrls, googleEngine, ...others } = Object.fromEntries(
    entries,
  ) as Values;
  const config = {
    ...others,
    searchPath: env.PATH ?? '',
    searchProviders: inOneSentence(() =>
      readProviders({ providerOrder, keylessProviders, providerKeys, providerUrls, googleEngine }),
    ),
  };
  if (config.auth === 'off' && !isLoopback(config.host)) {
    throw new ConfigError(
      `TRAWL_HOST="${config.host}" is reachable by others, and TRAWL_AUTH=off lets everyone in. Change one of the two.`,
    );
  }
  return config;
}

function inOneSentence<T>(settle: () => T): T {
  try {
    return settle();
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
}

const isLoopback = (host: string): boolean => host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);

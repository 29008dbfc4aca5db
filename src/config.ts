// Every setting: its environment variable, its rule, its default and what it is for. The only reader of process.env.
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import { parseAllowList } from './net/allow-list.ts';
import { parseProxyList } from './net/proxies.ts';
import { parseDnsServers } from './net/resolver.ts';
import { LOG_LEVELS } from './util/log.ts';

export const TEAM_FEATURES = ['zdr', 'anon', 'threat-protection'] as const;
export type TeamFeature = (typeof TEAM_FEATURES)[number];

interface Setting<T> {
  env: string;
  doc: string;
  /** The default as a person would write it. */
  shown: string;
  /** Never printed. */
  secret?: boolean;
  schema: z.ZodType<T>;
}

const setting = <T>(env: string, shown: string, schema: z.ZodType<T>, doc: string, secret = false): Setting<T> => ({
  env,
  shown,
  schema,
  doc,
  secret,
});

const list = (text: string) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** A rule that some other module knows: its one-sentence Error becomes the message. */
const readBy = <T>(read: (text: string) => T) =>
  z.string().transform((text, context): T => {
    try {
      return read(text);
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message });
      return z.NEVER;
    }
  });

const text = (fallback: string) => z.string().min(1, 'it must not be empty').default(fallback);
const oneOf = <const T extends readonly string[]>(values: T, fallback: T[number]) =>
  z.enum(values, `it must be one of: ${values.join(', ')}`).default(fallback as never);
const integer = (fallback: number, min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `it must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `it must be a whole number from ${min} to ${max}`)
    .default(fallback);
const megabytes = (fallback: number) => integer(fallback, 1, 1_048_576).transform((mb) => mb * 1_048_576);
const httpUrl = readBy((value) => {
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error('it must be an http or https URL');
  return url.href.replace(/\/$/, '');
});

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
      .transform(list)
      .pipe(z.array(z.enum(TEAM_FEATURES, `it may hold: ${TEAM_FEATURES.join(', ')}`)))
      .default(() => ['zdr', 'anon'] as TeamFeature[]),
    'What teams may ask for: zdr (zero data retention), anon, threat-protection.',
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
  transformWorkers: setting(
    'TRAWL_TRANSFORM_WORKERS',
    "the machine's cores",
    integer(availableParallelism(), 1, 256),
    'Threads that turn pages into Markdown.',
  ),
} satisfies Record<string, Setting<unknown>>;

export type Config = { [Name in keyof typeof SETTINGS]: z.output<(typeof SETTINGS)[Name]['schema']> };

/** Said to the operator in one sentence; the program stops. */
export class ConfigError extends Error {}

export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const entries = Object.entries(SETTINGS).map(([name, { env: variable, schema, secret }]) => {
    const raw = env[variable]?.trim();
    const parsed = schema.safeParse(raw === '' ? undefined : raw);
    if (parsed.success) return [name, parsed.data];
    const shown = secret ? '' : `=${JSON.stringify(raw)}`;
    throw new ConfigError(`${variable}${shown} cannot be used: ${parsed.error.issues[0]!.message}.`);
  });
  const config = Object.fromEntries(entries) as Config;
  if (config.auth === 'off' && !isLoopback(config.host)) {
    throw new ConfigError(
      `TRAWL_HOST="${config.host}" is open to others, and TRAWL_AUTH=off asks nobody for a key: use one or the other.`,
    );
  }
  return config;
}

const isLoopback = (host: string): boolean => host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);

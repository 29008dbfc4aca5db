// Every setting: environment variable, rule, default and description. The only reader of process.env.
import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { parseToolChoice } from '../contracts/mcp/toolsets.ts';
import type { ModelSettings } from '../models/model-choice.ts';
import { parseAllowList } from '../net/addresses/allow-list.ts';
import { parseDnsServers } from '../net/addresses/resolver.ts';
import { parseProxyList } from '../net/connections/upstream-proxies.ts';
import type { EgressSettings } from '../net/egress.ts';
import { LOG_LEVELS } from '../runtime/log.ts';
import type { ProviderSettings } from '../search/providers/provider-names.ts';
import type { S3Settings } from '../store/blobs/s3/s3-settings.ts';
import { parseNetworks } from '../urls/networks.ts';
import { AGENT_SETTINGS } from './agent.ts';
import { BROWSER_SETTINGS } from './browser.ts';
import { DIALECT_SETTINGS } from './dialects.ts';
import { DOCUMENT_SETTINGS } from './documents.ts';
import { INSTALL_SETTINGS, type MachineEnvironment, machineEnvironment } from './installs.ts';
import { MODEL_SETTINGS, type ModelVariables, readModels } from './models.ts';
import { PROVIDER_SETTINGS, type ProviderVariables, readProviders } from './providers.ts';
import {
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
import { withCredentials } from './storage/blobs-url.ts';
import { DATA_FOLDER_SETTINGS, defaultDataFolder } from './storage/data-folder.ts';
import { ENGINE_SETTINGS } from './storage/engines.ts';
import { STORAGE_SETTINGS } from './storage/storage.ts';
import { MAIL_SETTINGS } from './teams/mail.ts';
import { ONBOARDING_SETTINGS, onboardingProblem } from './teams/onboarding.ts';
import { TEAM_SETTINGS } from './teams/teams.ts';
import { THREAT_SETTINGS } from './teams/threats.ts';
import { TELEMETRY_SETTINGS } from './telemetry.ts';

export const TEAM_FEATURES = ['zdr', 'anon', 'threat-protection'] as const;
export type TeamFeature = (typeof TEAM_FEATURES)[number];

export const SETTINGS = {
  host: setting(
    'TRAWL_HOST',
    '127.0.0.1',
    text('127.0.0.1').transform((host) => (host === 'localhost' ? '127.0.0.1' : host)),
    'Address to listen on. Any address other than loopback requires authentication.',
  ),
  port: setting('TRAWL_PORT', '3002', integer(3002, 0, 65_535), 'Port to listen on; 0 picks a free one and prints it.'),
  ...DATA_FOLDER_SETTINGS,
  ...ENGINE_SETTINGS,
  apiKey: setting(
    'TRAWL_API_KEY',
    'none',
    z.string().min(8, 'it must have at least 8 characters').optional(),
    'A key of your choice for the default team. It is not stored, and is valid while this is set; no key is generated then. Keys made before stay valid.',
    true,
  ),
  auth: setting(
    'TRAWL_AUTH',
    'required',
    oneOf(['required', 'off'], 'required'),
    'required: every request needs a key; off: none is checked (loopback only).',
  ),
  publicUrl: setting(
    'TRAWL_PUBLIC_URL',
    'none',
    httpUrl.optional(),
    'Base URL under which clients reach the service, used for links in answers.',
  ),
  trustedProxies: setting(
    'TRAWL_TRUSTED_PROXIES',
    'none',
    readBy(parseNetworks).default(() => parseNetworks('')),
    'Addresses and CIDR ranges of your reverse proxies, e.g. 127.0.0.1. Only their X-Forwarded-* and Forwarded headers count.',
  ),
  proxy: setting(
    'TRAWL_PROXY',
    'none',
    readBy(parseProxyList).default(() => []),
    'Upstream HTTP proxies for requests to target sites. An entry may be COUNTRY=URL, e.g. DE=http://proxy:8080.',
    true,
  ),
  proxyEnhanced: setting(
    'TRAWL_PROXY_ENHANCED',
    'none',
    readBy(parseProxyList).default(() => []),
    'Upstream proxies for enhanced attempts (`proxy: enhanced` and `auto`), in the same form.',
    true,
  ),
  dns: setting(
    'TRAWL_DNS',
    "the system's",
    readBy(parseDnsServers).default(() => []),
    'Name servers to use, as ip or ip:port.',
  ),
  allowNetworks: setting(
    'TRAWL_ALLOW_NETWORKS',
    'none',
    readBy(parseAllowList).default(() => parseAllowList('')),
    'Private hosts (also *.domain) and CIDR ranges that may be reached. An entry may end in a port, e.g. localhost:8080; then only that port may be reached.',
  ),
  userAgent: setting(
    'TRAWL_USER_AGENT',
    'a current browser',
    z.string().min(1).optional(),
    'User-Agent of scrapes, instead of that of a browser.',
  ),
  mcpTools: setting(
    'TRAWL_MCP_TOOLS',
    'all',
    readBy(parseToolChoice).optional(),
    'The tools that `/mcp` and `trawl mcp` serve: names of tools and of groups of calls, e.g. scrape,search,map. The list of tools costs an assistant tokens in every conversation.',
  ),
  contact: setting(
    'TRAWL_CONTACT',
    'none',
    z.string().min(1).optional(),
    'URL or email address where site owners can reach you. Crawls send it in their User-Agent.',
  ),
  teamFeatures: setting(
    'TRAWL_TEAM_FEATURES',
    'zdr,anon',
    z
      .string()
      .transform((names) => (names.trim() === 'none' ? [] : list(names)))
      .pipe(z.array(z.enum(TEAM_FEATURES, `it may hold: ${TEAM_FEATURES.join(', ')}`)))
      .default(() => ['zdr', 'anon'] as TeamFeature[]),
    'Features that teams may use that have no settings of their own: zdr (zero data retention), anon (anonymous search), threat-protection; or none.',
  ),
  ...TEAM_SETTINGS,
  teamIsolation: setting(
    'TRAWL_TEAM_ISOLATION',
    'off',
    oneOf(['on', 'off'], 'off'),
    'on: each team finds only pages in the cache and in the index that it fetched itself; off: teams share them, except pages whose addresses carry credentials.',
  ),
  siteMemory: setting(
    'TRAWL_SITE_MEMORY',
    'on',
    oneOf(['on', 'off'], 'on').transform((choice) => choice === 'on'),
    'on: what pages of a site have in common is remembered, as hashes, and helps to tell the content of the next one from its template; off: each page is read alone.',
  ),
  logLevel: setting('TRAWL_LOG_LEVEL', 'info', oneOf(LOG_LEVELS, 'info'), `Log level: ${LOG_LEVELS.join(', ')}.`),
  maxRequestBytes: setting('TRAWL_MAX_REQUEST_MB', '10', megabytes(10), 'Maximum size of a JSON request body.'),
  maxUploadBytes: setting('TRAWL_MAX_UPLOAD_MB', '50', megabytes(50), 'Maximum size of an uploaded file.'),
  maxPageBytes: setting(
    'TRAWL_MAX_PAGE_MB',
    '50',
    megabytes(50),
    'Maximum size of a page, both compressed and decompressed.',
  ),
  ...STORAGE_SETTINGS,
  maxConcurrency: setting(
    'TRAWL_MAX_CONCURRENCY',
    '64',
    integer(64, 1, 10_000),
    'Maximum number of requests and pages of jobs that a team runs at once in each process, whatever its plan says; more wait.',
  ),
  maxJobs: setting(
    'TRAWL_MAX_JOBS',
    '1000',
    integer(1_000, 1, 100_000),
    'Maximum number of unfinished crawls and batches per team; more are refused with 429.',
  ),
  maxMonitors: setting(
    'TRAWL_MAX_MONITORS',
    '1000',
    integer(1_000, 0, 100_000),
    'Maximum number of monitors per team; more are refused with 429.',
  ),
  webhookSecret: setting(
    'TRAWL_WEBHOOK_SECRET',
    'none',
    z.string().min(1).optional(),
    'Secret for signing webhook calls: X-Firecrawl-Signature is the HMAC-SHA256 of the body.',
    true,
  ),
  indexManual: setting(
    'TRAWL_INDEX_MANUAL',
    'on',
    oneOf(['on', 'off'], 'on').transform((choice) => choice === 'on'),
    'Whether the manual is added to the search index, with the first search or soon after the start: on or off. Processes that share a database need `TRAWL_PUBLIC_URL` for it.',
  ),
  ...PROVIDER_SETTINGS,
  transformWorkers: setting(
    'TRAWL_TRANSFORM_WORKERS',
    "the machine's cores",
    integer(availableParallelism(), 1, 256),
    'Number of threads that convert pages to Markdown and make other formats from them.',
  ),
  ...BROWSER_SETTINGS,
  ...DOCUMENT_SETTINGS,
  ...INSTALL_SETTINGS,
  ...MODEL_SETTINGS,
  ...AGENT_SETTINGS,
  ...MAIL_SETTINGS,
  ...ONBOARDING_SETTINGS,
  ...DIALECT_SETTINGS,
  ...THREAT_SETTINGS,
  ...TELEMETRY_SETTINGS,
} satisfies Record<string, Setting<unknown> | SharedSetting<unknown>>;

type Value<S> =
  S extends SharedSetting<infer T, infer Name>
    ? Partial<Record<Name, NonNullable<T>>>
    : S extends Setting<infer T>
      ? T
      : never;
type Values = { [Name in keyof typeof SETTINGS]: Value<(typeof SETTINGS)[Name]> };

/** Settings that are used as they are, although others of their kind are combined. */
const KEPT = new Set(['providerTimeoutMs', 'modelProxy']);

/** Settings that are only read together. */
type Combined = keyof ProviderVariables | 'providerProxy' | 'blobsUrl' | keyof ModelVariables;

export type Config = MachineEnvironment &
  Omit<Values, Combined | 'dataDir'> & {
    dataDir: string;
    searchProviders: ProviderSettings;
    models: ModelSettings;
    providerProxies: NonNullable<EgressSettings['providerProxies']>;
    blobs?: S3Settings;
  };

/** One sentence for the operator; the program stops. */
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
  const values = Object.fromEntries(entries) as Values;
  const { providerProxy, blobsUrl, ...others } = values;
  const config = {
    ...(Object.fromEntries(Object.entries(others).filter(([name]) => !isCombined(name))) as Omit<Values, Combined>),
    ...machineEnvironment(env),
    dataDir: others.dataDir ?? inOneSentence(() => defaultDataFolder(env)),
    // What the operator sets for providers is meant for all of them, private addresses included.
    providerProxies: { list: providerProxy ?? others.proxy, forPrivate: providerProxy !== undefined },
    searchProviders: inOneSentence(() => readProviders(others)),
    models: inOneSentence(() => readModels(others)),
    ...(blobsUrl && { blobs: inOneSentence(() => withCredentials(blobsUrl, env)) }),
  };
  if (!config.plans.has(config.teamPlan)) {
    const known = [...config.plans.keys()].join(', ');
    throw new ConfigError(`TRAWL_TEAM_PLAN="${config.teamPlan}" is not a plan. Known plans: ${known}.`);
  }
  if (config.databaseUrl && !config.secret) {
    throw new ConfigError(
      'TRAWL_DATABASE_URL needs TRAWL_SECRET. Set the same secret for every process of the database.',
    );
  }
  if (config.role !== 'all' && !config.databaseUrl) {
    throw new ConfigError(
      `TRAWL_ROLE=${config.role} needs TRAWL_DATABASE_URL, which the processes of all roles share. Set it, or leave the role as it is.`,
    );
  }
  if (config.smtp && !config.smtpFrom) throw new ConfigError('TRAWL_SMTP_URL needs TRAWL_SMTP_FROM. Set it.');
  const problem = onboardingProblem(config);
  if (problem !== undefined) throw new ConfigError(problem);
  if (config.auth === 'off' && !isLoopback(config.host)) {
    throw new ConfigError(
      `TRAWL_HOST="${config.host}" is reachable by others, and TRAWL_AUTH=off lets everyone in. Change one of the two.`,
    );
  }
  return config;
}

const isCombined = (name: string): boolean => (name in PROVIDER_SETTINGS || name in MODEL_SETTINGS) && !KEPT.has(name);

function inOneSentence<T>(settle: () => T): T {
  try {
    return settle();
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
}

const isLoopback = (host: string): boolean => host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);

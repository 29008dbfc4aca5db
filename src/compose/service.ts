// The composition root: settings in, a running service out. Adapters are chosen here and nowhere else.
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createAuthenticate } from '../api/auth.ts';
import { answerFile } from '../api/file-answer.ts';
import type { OpenOperations } from '../api/operation-call.ts';
import { createServer } from '../api/server.ts';
import type { Config } from '../config/settings.ts';
import { ServiceError } from '../contracts/errors.ts';
import { createHttpEngine } from '../fetch/http-engine.ts';
import { createRenderedHosts } from '../fetch/rendered-hosts.ts';
import { createEgress } from '../net/egress.ts';
import { createFileLinks } from '../operations/files.ts';
import { createUploads } from '../operations/parse/uploads.ts';
import { createConcurrency } from '../operations/team/concurrency.ts';
import { DEFAULT_TEAM, firstKey } from '../operations/team/keys.ts';
import { createParserPool } from '../parse/process/parser-pool.ts';
import { operatorOrigins } from '../search/providers/provider-names.ts';
import { readSecret } from '../store/fs/secret.ts';
import { openSqliteStore } from '../store/sqlite/store.ts';
import { createTransformPool } from '../transform/pool.ts';
import { type Clock, systemClock } from '../util/clock.ts';
import { createLog } from '../util/log.ts';
import { bindOperations } from './bind-operations.ts';
import { composeBrowser } from './browser.ts';
import { composeJobs } from './jobs.ts';
import { composeMedia } from './media.ts';
import { composeManual, composeSearch } from './search.ts';

export interface Service {
  url: string;
  /** Shown once: the key that was made because there was none. */
  firstKey: string | undefined;
  close(): Promise<void>;
}

// SIGTERM promises an end within 10 s: running work gets most of it, closing the rest.
const GRACE_MS = 7_000;
const SWEEP_MS = 60_000;

const OPENAPI_FILE = join(import.meta.dirname, '../..', 'docs', 'openapi.json');

interface Surroundings {
  clock?: Clock;
  /** The store is gone for good and nothing can be answered any more. */
  onFatal?: (error: Error) => void;
}

export async function createService(
  config: Config,
  { clock = systemClock, onFatal }: Surroundings = {},
): Promise<Service> {
  const log = createLog(config.logLevel);
  const stopping = new AbortController();
  let ready = false;
  let listening: { address: string; port: number } | undefined;

  const store = await openSqliteStore({
    dataDir: config.dataDir,
    cacheMaxBytes: config.cacheMaxBytes,
    onCrash: (error) => {
      ready = false;
      log.error({ err: error }, 'the store thread has died');
      onFatal?.(error);
    },
  });
  const secret = readSecret(config.dataDir);
  const fileLinks = createFileLinks({ files: store.files, secret, clock });
  const { maxUploadBytes } = config;
  const sentAhead = createUploads({ uploads: store.uploads, secret, maxUploadBytes, clock });
  let baseUrl = config.publicUrl;
  const outside = createEgress({
    allow: config.allowNetworks,
    dnsServers: config.dns,
    proxies: { basic: config.proxy, enhanced: config.proxyEnhanced },
    maxPageBytes: config.maxPageBytes,
    ownAddress: () => listening,
    publicHost: config.publicUrl && new URL(config.publicUrl).host,
    operatorOrigins: operatorOrigins(config.searchProviders),
  });
  const { manual, egress } = composeManual(() => baseUrl, outside, clock);
  const transformer = createTransformPool({ workers: config.transformWorkers });
  const fileParser = createParserPool({
    workers: config.parseWorkers,
    ocr: {
      program: config.ocr,
      languages: config.ocrLanguages,
      ffmpeg: config.ffmpeg,
      searchPath: config.searchPath,
    },
    hidden: [config.dataDir],
    clock,
  });
  const defaultTeam = await store.teams.ensureTeam(DEFAULT_TEAM, clock.now());
  const { close: closeBrowsers, ...browsing } = composeBrowser(config, { store, egress, clock, log });
  const { browser, sessions } = browsing;
  const reading = {
    pages: store.pages,
    profiles: store.profiles,
    egress,
    http: createHttpEngine({ egress, clock, userAgent: config.userAgent }),
    transformer,
    fileParser,
    clock,
    manual,
    browser,
    renderedHosts: createRenderedHosts(clock.now),
    fileLinks,
    media: composeMedia(config, { egress, fileLinks, clock }),
  };
  const searching = await composeSearch(config, { store, egress, clock, log });
  const jobs = composeJobs(config, { ...reading, ...searching, store, log });
  const { operations, watch } = bindOperations({
    ...store,
    ...reading,
    ...searching,
    ...jobs,
    concurrency: createConcurrency(config.maxConcurrency, clock),
    ...browsing,
    sentAhead,
    features: config.teamFeatures,
    maxJobs: config.maxJobs,
    log,
  });
  const openOperations: OpenOperations = {
    file: async ({ params, query, ...call }) =>
      answerFile(await fileLinks.open(params.file, params.name, query), params.name, call, stopping.signal),
    upload: async ({ params, query, body }) => {
      await sentAhead.receive(params.id, query.uploadRef ?? '', body!);
      return { status: 200, body: { success: true } };
    },
    manual: async ({ params }) => {
      const chapter = await manual.read(params.name);
      if (!chapter) throw new ServiceError('NOT_FOUND');
      return { status: 200, body: chapter };
    },
    openapi: () => ({ status: 200, body: readFileSync(OPENAPI_FILE) }),
    liveness: () => ({ status: 200, body: { status: 'ok' } }),
    readiness: () =>
      ready ? { status: 200, body: { status: 'ok' } } : { status: 503, body: { status: 'unavailable' } },
  };
  const server = createServer({
    ...config,
    authenticate: createAuthenticate({ ...config, mode: config.auth, defaultTeam, teams: store.teams, clock }),
    operations,
    openOperations,
    hold: store.uploads.hold,
    watch,
    sessions,
    stopping: stopping.signal,
    clock,
    log,
  });

  const closeParts = async () => {
    await Promise.all([searching.close(), closeBrowsers()]);
    await Promise.all([egress.close(), transformer.close(), fileParser.close()]);
    await store.close();
  };
  try {
    await server.listen({ host: config.host, port: config.port });
  } catch (error) {
    await closeParts();
    throw error;
  }
  const { address, port } = server.addresses()[0] as AddressInfo;
  listening = { address, port };
  const url = `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
  baseUrl ??= url;
  const sweep = () =>
    store.pages.sweep(clock.now()).catch((error: unknown) => log.error({ err: error }, 'sweep failed'));
  const sweeping = setInterval(sweep, SWEEP_MS);
  await jobs.resume();
  await searching.resume(reading);
  ready = true;

  return {
    url,
    firstKey: config.auth === 'required' ? await firstKey(store.teams, clock.now()) : undefined,
    async close() {
      ready = false;
      clearInterval(sweeping);
      const grace = setTimeout(() => stopping.abort(new ServiceError('SERVICE_UNAVAILABLE')), GRACE_MS);
      await Promise.all([server.close(), jobs.close(), sessions.close()]);
      clearTimeout(grace);
      await closeParts();
    },
  };
}

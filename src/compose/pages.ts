// The parts that read one page, from any engine: egress, HTTP, browser, file parsers, transform, media.
import type { Config } from '../config/settings.ts';
import type { ServiceMetrics } from '../contracts/operator/metrics.ts';
import { createEncoders } from '../encoders/encoders.ts';
import { type ArchivedAnswers, answerFromArchive } from '../fetch/archive/archived-answers.ts';
import type { FetchEngine } from '../fetch/engine.ts';
import { createChromeHttpEngine, createHttpEngine } from '../fetch/http-engine.ts';
import { createRenderedHosts } from '../fetch/rendered-hosts.ts';
import { pageKey } from '../index/pages/url-key.ts';
import type { EgressSettings } from '../net/egress.ts';
import { createMemberKeys } from '../operations/collection/within-collection.ts';
import type { FileLinks } from '../operations/files.ts';
import { createSiteMemories, NO_SITE_MEMORIES } from '../operations/page/siblings/site-memories.ts';
import { createPageSharing, type PageSharing } from '../page/page-owner.ts';
import { createPagePool } from '../page-threads/page-pool.ts';
import { createParserPool } from '../parse/process/parser-pool.ts';
import type { PageBrowser } from '../peers/pages/remote-browser.ts';
import type { SecurityLog } from '../policy/audit/security-log.ts';
import { createRedactor } from '../redact/redactor.ts';
import type { Log } from '../runtime/log.ts';
import type { Tracer } from '../runtime/tracer.ts';
import type { Store } from '../store/ports/store.ts';
import { createUnderstander } from '../understand/understander.ts';
import type { Clock } from '../util/clock.ts';
import { lazy } from '../util/lazy.ts';
import { composeBrowser } from './browser.ts';
import { composeEgress } from './egress.ts';
import { composeMedia } from './media.ts';
import { composeModels } from './models.ts';
import type { OwnEngines } from './peers/peers.ts';
import type { Processes } from './peers/processes.ts';
import type { Policy } from './policy/policy.ts';
import { composeManual } from './search.ts';
import { measureEngine, measureParser, measureTransformer } from './telemetry/metrics.ts';

interface Deps {
  store: Store;
  policy: Policy;
  processes: Pick<Processes, 'peers'>;
  /** As the other processes know this one. */
  processId: string;
  fileLinks: FileLinks;
  /** Where this service listens, once it does: pages must not reach it. */
  ownAddress: EgressSettings['ownAddress'];
  /** An address was refused, for the metrics and the security log. */
  onRefused: EgressSettings['onRefused'];
  security: SecurityLog;
  /** The address under which the manual is shown, once it is known. */
  baseUrl: () => string | undefined;
  metrics: ServiceMetrics;
  tracer: Tracer;
  clock: Clock;
  log: Log;
}

const collectionParts = ({ collections }: Deps['store'], sharing: PageSharing) => ({
  collections,
  memberKeys: createMemberKeys({ collections, sharing, pageKey }),
});

export function composePages(config: Config, deps: Deps) {
  const { store, policy, processes, processId, fileLinks, security, metrics, tracer, clock, log } = deps;
  const { ownAddress, onRefused, baseUrl } = deps;
  const telemetry = { metrics, tracer, log };
  const outside = composeEgress(config, { ownAddress, onRefused, peers: processes.peers?.urls });
  const { manual, egress } = composeManual(baseUrl, outside, clock);
  const pagePool = createPagePool({ workers: config.transformWorkers });
  const transformer = measureTransformer(telemetry, pagePool);
  const models = composeModels(config, { egress: outside, ledger: store.ledger, metrics, clock, log });
  const encoders = createEncoders();
  const sharing = createPageSharing({ isolatesTeams: config.teamIsolation === 'on' });
  const siteMemories = config.siteMemory
    ? createSiteMemories({ store: store.sites, sharing, clock })
    : NO_SITE_MEMORIES;
  const understander = createUnderstander(models, {
    pool: pagePool,
    programs: store.programs,
    ...(config.reader === 'auto' && { reader: encoders.reader }),
    embedding: { embedder: models.embedder, sentences: encoders.sentences, store: store.chunkVectors },
    clock,
  });
  const redactor = createRedactor(encoders.classifier);
  const ocr = {
    program: config.ocr,
    languages: config.ocrLanguages,
    ffmpeg: config.ffmpeg,
    searchPath: config.searchPath,
  };
  const fileParser = measureParser(
    telemetry,
    createParserPool({ workers: config.parseWorkers, ocr, hidden: [config.dataDir], clock }),
  );
  const {
    browser,
    enhancedBrowser,
    identify,
    close: closeBrowsers,
    ...browsing
  } = composeBrowser(config, { store, policy, processId, security, egress, clock, log });
  const http = { egress, clock, identify };
  const engines: OwnEngines = { basic: browser, enhanced: enhancedBrowser };
  const shared = (kind: PageBrowser) =>
    measureEngine(telemetry, processes.peers?.shareBrowser(engines[kind], kind) ?? engines[kind]);

  return {
    /** What `readPage` needs. */
    reading: {
      pages: store.pages,
      security,
      history: store.history,
      ...{ sharing, ...collectionParts(store, sharing) },
      siteMemories,
      ...{ profiles: store.profiles, archives: store.archives, archivedHttp: overArchive(http, config.maxPageBytes) },
      egress,
      http: measureEngine(telemetry, createHttpEngine(http)),
      chromeHttp: measureEngine(telemetry, createChromeHttpEngine(http)),
      transformer,
      fileParser,
      understander,
      redactor,
      // Loaded with the first request; what is installed is looked up once.
      fileFormats: lazy(async () => (await import('../parse/readable-formats.ts')).readableFormats(ocr)),
      clock,
      metrics,
      manual,
      browser: shared('basic'),
      enhancedBrowser: shared('enhanced'),
      renderedHosts: createRenderedHosts(clock.now),
      fileLinks,
      media: composeMedia(config, { egress, fileLinks, identify, clock }),
    },
    identify,
    models,
    sentences: encoders.sentences,
    /** What callers need who drive a browser themselves. */
    browsing,
    browsers: [browser, enhancedBrowser],
    engines,
    sessions: browsing.sessions,
    closeBrowsers,
    async close() {
      const parts = [egress, pagePool, fileParser, redactor, siteMemories];
      await Promise.all(parts.map((part) => part.close()));
      await encoders.close();
    },
  };
}

const overArchive =
  (deps: Parameters<typeof createHttpEngine>[0], maxPageBytes: number) =>
  (answers: ArchivedAnswers): FetchEngine =>
    createHttpEngine({ ...deps, egress: answerFromArchive(answers, maxPageBytes) });

// Helpers for the map tests: a small web with sites of its own, and a complete map operation.

import { after, before } from 'node:test';
import { type MapResponse, mapRequest } from '../../../../src/contracts/crawl/map.ts';
import { METRICS } from '../../../../src/contracts/operator/metrics.ts';
import { createLinkRules } from '../../../../src/crawl/frontier/link-rules.ts';
import { createPoliteness } from '../../../../src/crawl/politeness/politeness.ts';
import { createRobots } from '../../../../src/crawl/robots/robots.ts';
import { createEncoders } from '../../../../src/encoders/encoders.ts';
import type { RenderingEngine } from '../../../../src/fetch/engine.ts';
import { createChromeHttpEngine, createHttpEngine } from '../../../../src/fetch/http-engine.ts';
import { createManual } from '../../../../src/fetch/manual.ts';
import { createRenderedHosts } from '../../../../src/fetch/rendered-hosts.ts';
import { NO_MODELS } from '../../../../src/models/no-models.ts';
import { parseAllowList } from '../../../../src/net/addresses/allow-list.ts';
import { createEgress } from '../../../../src/net/egress.ts';
import type { Caller } from '../../../../src/operations/caller.ts';
import { type MapDeps, map } from '../../../../src/operations/map/map.ts';
import type { MediaCollector } from '../../../../src/operations/page/media.ts';
import { NO_SITE_MEMORIES } from '../../../../src/operations/page/siblings/site-memories.ts';
import type { Concurrency } from '../../../../src/operations/team/concurrency/concurrency.ts';
import { createPageSharing } from '../../../../src/page/page-owner.ts';
import type { FileParser } from '../../../../src/parse/file-parser.ts';
import { createRedactor } from '../../../../src/redact/redactor.ts';
import { createLog } from '../../../../src/runtime/log.ts';
import { createMetrics } from '../../../../src/runtime/metrics.ts';
import { systemClock as clock } from '../../../../src/util/clock.ts';
import { creditsSince } from '../../../conformance/samples.ts';
import { openBudgets } from '../../../support/budgets.ts';
import { callOf } from '../../../support/call.ts';
import { openConcurrency } from '../../../support/concurrency.ts';
import { sharedPagePool, shareUnderstander } from '../../../support/threads.ts';
import { noThreats } from '../../../support/threats.ts';
import type { Site } from '../../../support/web/reply.ts';
import { startWeb, type Web } from '../../../support/web.ts';
import { openTemporaryStore } from '../../store/temporary-folder.ts';

type Team = Caller['team'];

export interface Mapped {
  /** The links as `HOST/path`, without the scheme and the port. */
  urls: string[];
  links: { url: string; title?: string; description?: string }[];
  warning: string;
  id: string;
}

export interface MapScene {
  web: Web;
  deps: MapDeps & { concurrency: Concurrency };
  team: Team;
  /** Maps a page of the small web, or any other URL. */
  map(address: string, options?: object, more?: { deps?: Partial<MapDeps>; signal?: AbortSignal }): Promise<Mapped>;
  credits(): Promise<number>;
}

const AGENT = 'Trawl/1.0 (+https://trawl.test)';

const NO_BROWSER: RenderingEngine = {
  name: 'browser',
  unavailable: () => 'There is none.',
  fetch: () => Promise.reject(new Error('There is none.')),
};
const NO_MEDIA: MediaCollector = {
  unavailable: () => 'There is no ffmpeg.',
  collect: () => Promise.reject(new Error('No media are expected.')),
};
const NO_DOCUMENTS: FileParser = {
  parse: () => Promise.reject(new Error('No document is expected.')),
  close: async () => {},
};

export function useMap(extra: Record<string, Site>): MapScene {
  const scene = {} as MapScene;
  const endings: (() => unknown)[] = [];

  before(async () => {
    const web = await startWeb(extra);
    const egress = createEgress({
      allow: parseAllowList('127.0.0.0/8'),
      dnsServers: [web.dns.address],
      proxies: { basic: [], enhanced: [] },
      maxPageBytes: 10_000_000,
      ownAddress: () => undefined,
    });
    const linkRules = createLinkRules();
    const { store } = await openTemporaryStore({ after: (end: () => unknown) => endings.unshift(end) } as never);
    endings.unshift(() => Promise.all([egress.close(), linkRules.close(), web.stop()]));
    const headers = async () => ({ 'user-agent': AGENT });
    const team = await store.teams.ensureTeam('default', clock.now());
    scene.web = web;
    scene.team = team;
    scene.deps = {
      ...noThreats,
      ...store,
      budgets: openBudgets(store, clock).budgets,
      archivedHttp: (): never => {
        throw new Error('Maps read no archives.');
      },
      sharing: createPageSharing({ isolatesTeams: false }),
      siteMemories: NO_SITE_MEMORIES,
      egress,
      linkRules,
      http: createHttpEngine({ egress, clock }),
      chromeHttp: createChromeHttpEngine({ egress, clock }),
      manual: createManual({ folder: '', baseUrl: () => undefined, clock }),
      browser: NO_BROWSER,
      enhancedBrowser: NO_BROWSER,
      renderedHosts: createRenderedHosts(clock.now),
      fileLinks: {
        store: () => Promise.reject(new Error('Nothing is captured.')),
        renew: async () => undefined,
        read: async () => undefined,
      },
      transformer: sharedPagePool(),
      understander: shareUnderstander(NO_MODELS),
      redactor: createRedactor(createEncoders().classifier),
      fileParser: NO_DOCUMENTS,
      media: NO_MEDIA,
      clock,
      metrics: createMetrics(METRICS),
      indexer: { wake() {} },
      log: createLog('silent'),
      concurrency: openConcurrency(8, clock),
      politeness: createPoliteness({ clock, isAllowListed: () => true }),
      robots: createRobots({ egress, clock, headers }),
      agent: { name: 'Trawl', token: AGENT, headers },
      meanings: { nearness: async (_query, texts) => texts.map(() => undefined) },
    };
    scene.credits = () => creditsSince(store, team.id, 0);
  });
  after(async () => {
    for (const end of endings) await end();
  });

  const portless = (url: string) => url.replace(`:${scene.web.port}`, '').replace('http://', '');
  scene.map = async (address, options = {}, { deps, signal = AbortSignal.timeout(60_000) } = {}) => {
    const [host = '', ...path] = address.split('/');
    const url = address.includes('://') ? address : scene.web.url(host, `/${path.join('/')}`);
    const call = callOf<'map'>({ team: scene.team, signal }, { body: mapRequest.parse({ url, ...options }) });
    const { bytes } = await map({ ...scene.deps, ...deps }, call);
    const { links, warning = '', id } = JSON.parse(Buffer.from(bytes).toString()) as MapResponse;
    return { links, urls: links.map((link) => portless(link.url)), warning: portless(warning), id };
  };
  return scene;
}

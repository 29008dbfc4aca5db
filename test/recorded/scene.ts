// What the recorded requests are sent to: a service in this process with all its features, the small web with the recorded
// site, and catalogues of papers. Its clock begins at a fixed time, so that no run crosses the end of a day.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createService } from '../../src/compose/service.ts';
import { readConfig } from '../../src/config/settings.ts';
import { type OperationId, ROUTES, type Route } from '../../src/contracts/routes.ts';
import { systemClock } from '../../src/util/clock.ts';
import { withAnswerChecks } from '../support/answer-checks.ts';
import { until } from '../support/jobs.ts';
import { type Catalogues, startCatalogues } from '../support/search/catalogues.ts';
import { startWeb, type Web } from '../support/web.ts';
import { normalise, type Variables } from './normalise.ts';
import { PAPERS, RECORDED_SITE, REPOS } from './site.ts';

export const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000';
export const KEYLESS_SECRET = 'secret-of-the-proxy';
const START = Date.UTC(2031, 0, 15, 12, 5);

/** A request for a route. */
export interface Sent {
  /** Parameters of the path. */
  params?: Record<string, string>;
  query?: Record<string, string>;
  /** Sent as JSON; a form, bytes and a text are sent as they are. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Another method than that of the route. */
  method?: string;
  /** Whether the operator's key is sent. Default: true. */
  key?: boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: the requests read fields of answers of all kinds.
export type Body = any;

export interface Answered {
  status: number;
  headers: Headers;
  body: Body;
}

export interface RecordedScene {
  url: string;
  key: string;
  dataDir: string;
  web: Web;
  /** A page of the recorded site. */
  page(path?: string): string;
  /** What later requests need of earlier answers. */
  ids: Record<string, string>;
  send(id: OperationId, sent?: Sent): Promise<Answered>;
  sendTo(method: string, path: string, sent?: Sent): Promise<Answered>;
  /** Asks until the answer is as wanted, and returns it. */
  waitFor(id: OperationId, sent: Sent, isDone: (body: Body) => boolean): Promise<Body>;
  turnAhead(ms: number): void;
  normalise(value: unknown): unknown;
  /** Stops the service. Its folder stays until `remove`. */
  close(): Promise<void>;
  remove(): Promise<void>;
}

const SETTINGS = {
  TRAWL_PORT: '0',
  TRAWL_AUTH: 'required',
  TRAWL_LOG_LEVEL: 'error',
  TRAWL_INDEX_MANUAL: 'off',
  TRAWL_INSTALL_MODELS: 'off',
  TRAWL_SEMANTIC: 'off',
  TRAWL_KEYLESS_PROVIDERS: 'off',
  TRAWL_PROCESS_NAME: 'recorded',
  // What the machine has decides about nothing.
  TRAWL_BROWSER: 'off',
  TRAWL_FFMPEG: 'off',
  TRAWL_YT_DLP: 'off',
  TRAWL_OCR: 'off',
  TRAWL_TEAM_FEATURES: 'threat-protection,zdr',
  TRAWL_AGENT_ANONYMOUS: 'limited',
  TRAWL_KEYLESS: 'limited',
  TRAWL_KEYLESS_SECRET: KEYLESS_SECRET,
};

export async function startRecordedScene(settings: Record<string, string> = {}): Promise<RecordedScene> {
  const web = await startWeb({ 'harbour.test': RECORDED_SITE });
  const catalogues = await startCatalogues({ papers: PAPERS, repos: REPOS });
  const dataDir = await mkdtemp(join(tmpdir(), 'trawl-recorded-'));
  const stopOthers = () => Promise.all([web.stop(), catalogues.stop(), rm(dataDir, { recursive: true, force: true })]);
  const began = Date.now();
  let ahead = 0;
  const now = () => START + (Date.now() - began) + ahead;
  const all = { ...web.settings, ...catalogues.settings, ...SETTINGS, ...settings, TRAWL_DATA_DIR: dataDir };
  const service = await withAnswerChecks(() =>
    createService(readConfig(all), { clock: { ...systemClock, now } }),
  ).catch(async (error) => {
    await stopOthers();
    throw error;
  });
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= service.close();
    return closed;
  };
  const calls = callsOf(service.url, service.firstKey!);
  const { send } = calls;
  return {
    ...{ url: service.url, key: service.firstKey!, dataDir, web, ids: {}, ...calls },
    page: (path) => web.url('harbour.test', path),
    waitFor: async (id, sent, isDone) =>
      (
        await until(
          () => send(id, sent),
          ({ body }) => isDone(body),
        )
      ).body,
    turnAhead(ms) {
      ahead += ms;
    },
    normalise: (value) => normalise(value, variables(service.url, web, catalogues, now())),
    close,
    async remove() {
      await close();
      await stopOthers();
    },
  };
}

const variables = (url: string, web: Web, catalogues: Catalogues, now: number): Variables => ({
  texts: [
    [url, '<service>'],
    [catalogues.url, '<catalogues>'],
    [`:${new URL(url).port}`, ':<port of the service>'],
    [`:${web.port}`, ':<port>'],
    [`:${web.securePort}`, ':<secure port>'],
  ],
  now,
});

function callsOf(url: string, ownKey: string): Pick<RecordedScene, 'send' | 'sendTo'> {
  const sendTo: RecordedScene['sendTo'] = async (
    method,
    path,
    { query, body, headers: given = {}, key = true } = {},
  ) => {
    const target = new URL(path, url);
    for (const [name, value] of Object.entries(query ?? {})) target.searchParams.append(name, value);
    const headers = new Headers(given);
    if (key && !headers.has('authorization')) headers.set('authorization', `Bearer ${ownKey}`);
    const isRaw =
      body === undefined || body instanceof FormData || body instanceof Uint8Array || typeof body === 'string';
    if (!isRaw) headers.set('content-type', 'application/json');
    const response = await fetch(target, {
      method,
      headers,
      body: isRaw ? (body as RequestInit['body']) : JSON.stringify(body),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  };
  return {
    sendTo,
    send(id, sent = {}) {
      const route: Route = ROUTES[id];
      const path = route.path.replaceAll(/:(\w+)/g, (_, name) => encodeURIComponent(sent.params?.[name] ?? UNKNOWN_ID));
      return sendTo(sent.method ?? route.method, path, sent);
    },
  };
}

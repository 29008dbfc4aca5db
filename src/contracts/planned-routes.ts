// Calls that the contract documents and this version does not serve. They answer 501 and say why, and what to use instead.
import type { ErrorCode } from './errors/errors.ts';
import type { Method } from './routes.ts';

export interface PlannedRoute {
  /** Method and path; `*` stands for any rest. */
  route: `${Method} /${string}`;
  /** Follows the name of the call: why it is not served, then what to use instead. */
  reason: string;
}

type Name = PlannedRoute['route'];

const rows = (reason: string, ...routes: Name[]): PlannedRoute[] => routes.map((route) => ({ route, reason }));

const NO_REPLAY =
  'needs recordings of browser sessions, and sessions are not recorded. Watch a running session at its `liveViewUrl` instead.';
const NO_ZSCALER =
  'needs a Zscaler tenant, which this server cannot be connected with. Use PUT /v2/team/threat-protection with the mode `normal` and a risk service of the server.';
const NO_EXCHANGE =
  'belongs to a marketplace of paid data providers, which only the hosted service has. Use POST /v2/search for pages, and GET /v2/search/research/papers for papers.';
const NO_SLACK =
  'connects the hosted service with Slack, which this server does not do. Point the `webhook` of a monitor, a crawl or a batch at a Slack workflow instead.';

export const PLANNED_ROUTES: readonly PlannedRoute[] = [
  {
    route: 'POST /v2/search/gov',
    reason:
      'needs an index of government documents, which only the hosted service has. Use POST /v2/search with `includeDomains`, for example ["gov", "europa.eu"].',
  },
  ...rows(
    NO_REPLAY,
    'GET /v2/browser/:id/replay',
    'GET /v2/browser/:id/replay/:pageId',
    'GET /v2/interact/:id/replay',
    'GET /v2/interact/:id/replay/:pageId',
  ),
  ...rows(
    NO_ZSCALER,
    'GET /v2/team/threat-protection/zscaler/*',
    'PUT /v2/team/threat-protection/zscaler/*',
    'POST /v2/team/threat-protection/zscaler/*',
    'DELETE /v2/team/threat-protection/zscaler/*',
  ),
  {
    route: 'POST /v2/support/ask',
    reason: 'is a support bot of the hosted service. Read the manual at /docs/use/start instead.',
  },
  {
    route: 'POST /v2/support/docs-search',
    reason:
      'searches the documentation of the hosted service. The manual of this server is at /docs/use/start, and POST /v2/search with `site:` and the host of this server finds its chapters.',
  },
  ...rows(NO_EXCHANGE, 'GET /exchange/discover', 'GET /v2/exchange', 'GET /v2/exchange/*', 'POST /v2/exchange/*'),
  {
    route: 'GET /v2/agent/:id/skill',
    reason:
      'makes a skill of the hosted service from a run, which this server does not do. Read what the run did at GET /v2/agent/:id/trace instead.',
  },
  {
    route: 'POST /v2/mcp/action-logs',
    reason: 'takes telemetry of the MCP server, and this server collects none. Leave the secret of the logs unset.',
  },
  ...rows(NO_SLACK, 'GET /v2/slack/*', 'POST /v2/slack/*', 'PUT /v2/slack/*', 'DELETE /v2/slack/*'),
];

export const plannedText = ({ route, reason }: PlannedRoute): string => `${route} ${reason}`;

/** Why a scrape is not served that asks data providers instead of a page. */
export function plannedScrapeText(body: unknown): string | undefined {
  const { alexandria, formats } = (body ?? {}) as { alexandria?: unknown; formats?: unknown };
  const named = Array.isArray(formats)
    ? formats.map((format) => (format as { type?: unknown } | null)?.type ?? format)
    : [];
  return alexandria != null || named.includes('alexandria') ? `\`alexandria\` ${NO_EXCHANGE}` : undefined;
}

interface AbsentPath {
  path: RegExp;
  code: ErrorCode;
  text: string;
}

/** Paths that clients try to find out what a server can do. For them a 404 is the answer, but one that helps. */
export const ABSENT_PATHS: readonly AbsentPath[] = [
  {
    path: /^\/+v0\b/,
    code: 'GONE',
    text: 'The v0 API is not available. Use the same operation under /v1 or /v2: see /docs/use/use-from.',
  },
  {
    path: /^\/+v1\b/,
    code: 'NOT_FOUND',
    text: 'The v1 API is turned off on this server (TRAWL_DIALECTS). Use the same operation under /v2.',
  },
];

// Starts an extraction: everything that can be wrong with the request is refused before the run is stored.

import type { ExtractRequest, ExtractResponse, ExtractRun } from '../../contracts/agent/extract.ts';
import { EXTRACT_DEPRECATION } from '../../contracts/agent/extract-routes.ts';
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { Egress } from '../../net/egress.ts';
import type { Call } from '../call.ts';
import { checkWebhook } from '../job/start-job.ts';
import { type CapabilityDeps, checkCapabilities } from '../page/checks/check-capabilities.ts';
import { checkSchemas, type SchemaDeps } from '../page/checks/check-schemas.ts';
import { mayStore } from '../page/page-request.ts';
import { targetUrl } from '../page/target-url.ts';
import { checkRunSchema } from '../run/run-schema.ts';
import { RESULT_KEPT_MS, type StartRunDeps, startRun } from '../run/start-run.ts';
import { type RetentionDeps, retentionOf } from '../team/retention.ts';
import { type CheckStartDeps, checkStartUrls } from '../threats/check-start.ts';
import { storedLimits } from '../threats/stored-limits.ts';
import { extractStarted } from './extract-events.ts';

interface StartExtractDeps extends StartRunDeps, RetentionDeps, CapabilityDeps, SchemaDeps, CheckStartDeps {
  egress: Pick<Egress, 'check'>;
}

export async function extract(
  deps: StartExtractDeps,
  { caller, body: request, idempotencyKey, baseUrl }: Call<'extract'>,
): Promise<ExtractResponse> {
  refuseUnserved(request);
  const keptMs = retentionOf(deps, caller, request);
  const { scrapeOptions, threatProtection = scrapeOptions.threatProtection } = request;
  const checked = { ...scrapeOptions, threatProtection };
  checkCapabilities(scrapeOptions, deps, ['scrapeOptions']);
  await checkSchemas(deps, caller, scrapeOptions, ['scrapeOptions']);
  await checkRunSchema(deps, caller, request.schema);
  const { urls, invalidURLs } = readUrls(request, deps.egress);
  await checkStartUrls(deps, caller, checked, { operation: 'extract', urls: urls.map(siteOf) });
  const webhook = await checkWebhook(deps, caller, checked, { webhook: request.webhook, operation: 'extract' });
  const { webhook: _, ignoreInvalidURLs: __, ...asked } = request;
  const run = await startRun(
    deps,
    caller,
    {
      kind: 'extract',
      ...(mayStore({ ...scrapeOptions, zeroDataRetention: false }) && { target: urls[0] ?? request.prompt }),
      request: { ...asked, urls, ...storedLimits(caller), baseUrl } satisfies ExtractRun,
      webhook,
      events: [extractStarted],
      zeroDataRetention: false,
      keepMs: keptMs ?? RESULT_KEPT_MS,
    },
    { idempotencyKey },
  );
  return {
    success: true,
    id: run.id,
    urlTrace: [],
    ...(invalidURLs.length > 0 && { invalidURLs }),
    warnings: [EXTRACT_DEPRECATION.notice],
    replacement: EXTRACT_DEPRECATION.replacement,
  };
}

/** The model of a preview that has become an operation of its own. */
const AGENT_MODEL = 'v3-beta';

function refuseUnserved({ agent, zeroDataRetention, scrapeOptions, urls = [], enableWebSearch }: ExtractRequest): void {
  if (scrapeOptions.source && (enableWebSearch || urls.length === 0 || urls.some((url) => WHOLE_SITE.test(url)))) {
    const message =
      'With `source`, an extraction reads the pages that `urls` names: searches and whole sites need the web as it is now. Name single pages, and leave out `enableWebSearch`.';
    throw new ServiceError('BAD_REQUEST', { message });
  }
  if (agent?.model === AGENT_MODEL) {
    const message = `The model "${AGENT_MODEL}" is served by POST /v2/agent. Send \`prompt\`, \`urls\` and \`schema\` there.`;
    throw new ServiceError('BAD_REQUEST', { message });
  }
  if (zeroDataRetention) {
    const message =
      'Extractions are stored until you have fetched them, so they do not support zero data retention. Use POST /v2/scrape with the format `json`, or POST /v2/agent.';
    throw new ServiceError('BAD_REQUEST', { message });
  }
}

const WHOLE_SITE = /\/?\*$/;
const siteOf = (url: string): string => url.replace(WHOLE_SITE, '');

/** Skips and lists invalid URLs, or throws for the first one if the caller asked for that. */
function readUrls({ urls: given, ignoreInvalidURLs }: ExtractRequest, egress: StartExtractDeps['egress']) {
  const urls: string[] = [];
  const invalidURLs: string[] = [];
  for (const [index, text] of given.entries()) {
    try {
      const { href } = targetUrl(siteOf(text), egress, ['urls', index]);
      urls.push(WHOLE_SITE.test(text) ? `${href.replace(/\/$/, '')}/*` : href);
    } catch (error) {
      if (!ignoreInvalidURLs || !(error instanceof ServiceError)) throw error;
      invalidURLs.push(text);
    }
  }
  if (given.length > 0 && urls.length === 0) throw new ServiceError('NO_VALID_URLS');
  return { urls, invalidURLs };
}

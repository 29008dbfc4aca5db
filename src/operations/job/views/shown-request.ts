// A stored request as answers show it: what the caller has set, without what belongs to the service, and without secrets.
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { agentRequest } from '../../../contracts/agent/agent.ts';
import { extractRequest } from '../../../contracts/agent/extract.ts';
import { batchRequest } from '../../../contracts/crawl/batch.ts';
import { crawlRequest } from '../../../contracts/crawl/crawl.ts';
import type { ListedKind } from '../../../contracts/crawl/job-list.ts';
import { hideActions, hideHeaders } from '../../hidden-values.ts';

export interface ShownRequest {
  request: Record<string, unknown> | null;
  /** It can be sent again as it is. */
  isWhole: boolean;
}

type Options = Record<string, unknown>;

/** Fields of a stored request that its caller has not sent. */
const OWN_FIELDS = new Set([
  'baseUrl',
  'keyDomains',
  'definition',
  'estimatedCredits',
  'origin',
  'integration',
  'madeBy',
]);
const ADDRESS = 'https://example.com/';

const SCHEMAS: Readonly<Partial<Record<ListedKind, () => Options>>> = {
  crawl: () => crawlRequest.parse({ url: ADDRESS }),
  batch: () => batchRequest.parse({ urls: [ADDRESS] }),
  agent: () => agentRequest.parse({ prompt: ADDRESS }),
  extract: () => extractRequest.parse({ urls: [ADDRESS] }),
} satisfies Partial<Record<ListedKind, () => z.output<z.ZodType>>>;

export function shownRequest(kind: ListedKind, stored: unknown, maxUrls = Number.MAX_SAFE_INTEGER): ShownRequest {
  const given = Object.fromEntries(Object.entries((stored ?? {}) as Options).filter(([name]) => !OWN_FIELDS.has(name)));
  const defaults = SCHEMAS[kind]?.() ?? {};
  const request = withoutDefaults(given, defaults);
  const { scrapeOptions } = request as { scrapeOptions?: Options };
  const shown = scrapeOptions ? { ...request, scrapeOptions: hide(scrapeOptions) } : hide(request);
  const isHidden = [request, scrapeOptions].some((part) => part?.headers !== undefined || part?.actions !== undefined);
  const urls = Array.isArray(shown.urls) ? shown.urls : undefined;
  if (!urls || urls.length <= maxUrls)
    return { request: shown, isWhole: kind !== 'check' && kind !== 'collection' && !isHidden };
  return { request: { ...shown, urls: urls.slice(0, maxUrls) }, isWhole: false };
}

/** What a list shows of a request. */
export function targetOf(request: ShownRequest['request']): string | undefined {
  const { url, prompt, urls } = (request ?? {}) as { url?: string; prompt?: string; urls?: string[] };
  return url ?? prompt ?? urls?.[0];
}

function withoutDefaults(given: Options, defaults: Options): Options {
  const set = Object.entries(given).flatMap(([name, value]): [string, unknown][] => {
    const usual = defaults[name];
    if (name === 'scrapeOptions') {
      const options = withoutDefaults(value as Options, usual as Options);
      return Object.keys(options).length > 0 ? [[name, options]] : [];
    }
    return value === undefined || isDeepStrictEqual(value, usual) ? [] : [[name, value]];
  });
  return Object.fromEntries(set);
}

const hide = ({ headers, actions, ...options }: Options): Options => ({
  ...options,
  ...(headers !== undefined && { headers: hideHeaders(headers as object) }),
  ...(actions !== undefined && { actions: hideActions(actions as { type: string }[]) }),
});

// The table of resources: how a URI is read, and which resources are listed.
import type { ListedResource, ResourceContext, ResourceKind, ResourceVariables } from '../resource.ts';
import { chapters, listChapters } from './chapters.ts';
import { batchPages, crawlPages } from './job-pages.ts';
import { listRecent } from './recent.ts';
import { agentResult, extractResult } from './results.ts';
import { scrape } from './scrape.ts';

export const RESOURCES: readonly ResourceKind[] = [
  scrape,
  crawlPages,
  batchPages,
  agentResult,
  extractResult,
  chapters,
];

const MAX_URI_LENGTH = 2_000;

interface FoundResource {
  kind: ResourceKind;
  variables: ResourceVariables;
}

/** The kind of a URI and the values of its variables; undefined if no template matches. */
export function findResource(uri: string): FoundResource | undefined {
  const url = uri.length <= MAX_URI_LENGTH && uri.startsWith('trawl://') ? URL.parse(uri) : null;
  if (url === null) return undefined;
  const given = [url.host, ...url.pathname.split('/').slice(1)];
  for (const kind of RESOURCES) {
    const { path, parameters } = readTemplate(kind.template);
    const values = matchPath(path, given);
    if (values === undefined) continue;
    const sent = parameters.flatMap((name) =>
      url.searchParams.get(name) ? [[name, url.searchParams.get(name)!]] : [],
    );
    return { kind, variables: { ...values, ...Object.fromEntries(sent) } };
  }
  return undefined;
}

/** The newest results of the caller, then the manual. */
export async function listResources(context: ResourceContext): Promise<ListedResource[]> {
  const lists = await Promise.all([listRecent(context), listChapters(context)]);
  return lists.flat();
}

function readTemplate(template: string): { path: string[]; parameters: string[] } {
  const [, path = '', parameters = ''] = /^trawl:\/\/([^?]*?)(?:\{\?([^}]*)\})?$/.exec(template) ?? [];
  return { path: path.split('/'), parameters: parameters.split(',') };
}

function matchPath(path: readonly string[], given: readonly string[]): Record<string, string> | undefined {
  const takesRest = path.at(-1)!.startsWith('{+');
  if (takesRest ? given.length < path.length : given.length !== path.length) return undefined;
  const values: Record<string, string> = {};
  for (const [at, part] of path.entries()) {
    const name = /^\{\+?(\w+)\}$/.exec(part)?.[1];
    const isRest = takesRest && at === path.length - 1;
    const value = decoded(isRest ? given.slice(at).join('/') : given[at]!);
    if (value === undefined || value === '') return undefined;
    if (name === undefined && part !== value) return undefined;
    if (name !== undefined) values[name] = value;
  }
  return values;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

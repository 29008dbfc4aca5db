// The OpenSearch index of this schema: makes sure that it exists, and gives the calls that searches and writes use.
import type { Answer, Engine, EngineCall } from './engine.ts';
import { reasonOf } from './engine.ts';
import { isOwnIndex } from './index-owner.ts';
import { IndexUnavailable } from './index-unavailable.ts';
import { indexBody, indexName } from './page-mapping.ts';

interface Hit<Source = unknown> {
  /** Missing if only columns were asked for. */
  _id?: string;
  _version?: number;
  _score: number | null;
  _source?: Source;
  fields?: Record<string, unknown[]>;
  matched_queries?: string[];
}

export interface SearchAnswer {
  hits: { total?: { value: number }; hits: Hit[] };
  // biome-ignore lint/suspicious/noExplicitAny: what aggregations answer depends on what they are
  aggregations?: Record<string, any>;
}

export interface BulkItem {
  status: number;
  error?: { type: string; reason: string };
}

export interface PageDocuments {
  search(searches: readonly object[]): Promise<SearchAnswer[]>;
  /** In the order of `ids`; undefined for what does not exist. */
  get<Source>(ids: readonly string[], fields: readonly string[]): Promise<(Source | undefined)[]>;
  /** One attempt; each item has a status of its own. */
  bulk(lines: readonly unknown[]): Promise<BulkItem[]>;
  put(id: string, version: number, document: object): Promise<void>;
  refresh(): Promise<void>;
  /** Removes everything. */
  clear(): Promise<void>;
}

/** An option of searches. Anything else, even `_id`, lies packed with the texts of a page, and unpacking takes ten times as long. */
export const columnsOnly = (fields: readonly string[]) => ({ stored_fields: '_none_', docvalue_fields: fields });

const BULK_MS = 60_000;
/** Creating an index may take a while on a busy cluster. */
const CREATE_MS = 60_000;
const READY = 'wait_for_status=yellow&timeout=30s';
const NOT_FOUND = 404;
const CONFLICT = 409;

/** `installation` is the same for all processes that may share the index. */
export function createPageStore(engine: Engine, prefix: string, installation?: string): PageDocuments {
  const name = indexName(prefix);
  // Writes go to the alias: an index that was deleted meanwhile is not created without its fields.
  const alias = `${name}-write`;
  let isThere = false;
  let creating: Promise<void> | undefined;

  async function create(): Promise<void> {
    const { status, body } = await engine.call({
      ...{ method: 'PUT', path: `/${name}`, body: indexBody(alias, installation), timeoutMs: CREATE_MS },
    });
    const { error } = body as { error?: { type?: string } };
    if (status >= 300 && error?.type !== 'resource_already_exists_exception') throw refused(body);
    // One that another process has just created may not answer yet.
    if (status >= 300)
      await engine.call({ method: 'GET', path: `/_cluster/health/${name}?${READY}`, timeoutMs: CREATE_MS });
    if (!(await isOwnIndex(engine, name, installation)))
      throw new IndexUnavailable(`The index ${name} belongs to another installation.`);
    isThere = true;
  }

  const ensure = (): Promise<void> => {
    creating ??= create().finally(() => {
      creating = undefined;
    });
    return creating;
  };

  /** Creates the index at first use, and again after somebody has deleted it: the feed fills it again. */
  async function use<T>(call: EngineCall): Promise<Answer<T>> {
    if (!isThere) await ensure();
    const first = await engine.call<T>(call);
    if (!isMissing(first)) return first;
    await ensure();
    return engine.call<T>(call);
  }

  return {
    async search(searches) {
      if (searches.length === 0) return [];
      const options = 'search_type=dfs_query_then_fetch';
      const header = { index: name, allow_partial_search_results: false };
      const { status, body } = await use<{ responses?: (SearchAnswer & { status: number })[] }>({
        ...{ method: 'POST', path: `/${name}/_msearch?${options}` },
        lines: searches.flatMap((search) => [header, search]),
      });
      if (status !== 200 || !body.responses) throw refused(body);
      const failed = body.responses.find((response) => response.status !== 200);
      if (failed) throw refused(failed);
      return body.responses;
    },
    async get<Source>(ids: readonly string[], fields: readonly string[]) {
      if (ids.length === 0) return [];
      const { status, body } = await use<{ docs?: { found?: boolean; error?: unknown; _source?: Source }[] }>({
        ...{ method: 'POST', path: `/${name}/_mget?_source_includes=${fields.join(',')}`, body: { ids } },
      });
      if (status !== 200 || !body.docs || body.docs.some(({ error }) => error)) throw refused(body);
      return body.docs.map(({ found, _source }) => (found ? _source : undefined));
    },
    async bulk(lines) {
      const { status, body } = await use<{ items?: Record<string, BulkItem>[] }>({
        ...{ method: 'POST', path: `/${alias}/_bulk?require_alias=true`, lines, timeoutMs: BULK_MS },
      });
      if (status !== 200 || !body.items) throw refused(body);
      return body.items.map((item) => Object.values(item)[0]!);
    },
    async put(id, version, document) {
      const options = `version=${version}&version_type=external_gte&require_alias=true`;
      const { status, body } = await use({
        ...{ method: 'PUT', path: `/${alias}/_doc/${id}?${options}`, body: document },
      });
      if (status >= 300 && status !== CONFLICT) throw refused(body);
    },
    async refresh() {
      const { status, body } = await use({ method: 'POST', path: `/${name}/_refresh`, timeoutMs: BULK_MS });
      if (status !== 200) throw refused(body);
    },
    async clear() {
      if (!isThere) await ensure();
      const { status, body } = await engine.call({ method: 'DELETE', path: `/${name}`, timeoutMs: CREATE_MS });
      if (status !== 200 && status !== NOT_FOUND) throw refused(body);
      await ensure();
    },
  };
}

const refused = (body: unknown): IndexUnavailable =>
  new IndexUnavailable(`OpenSearch refused a request: ${reasonOf(body)}`);

/** Calls with several requests answer 200 even if every one of them failed because there is no index. */
function isMissing({ status, body }: Answer<unknown>): boolean {
  const { error, items, responses, docs } = (body ?? {}) as Failures & {
    items?: Record<string, Failures>[];
    responses?: Failures[];
    docs?: Failures[];
  };
  const first = items?.[0] ? Object.values(items[0])[0] : (responses?.[0] ?? docs?.[0]);
  return (status === NOT_FOUND && error?.type === MISSING) || first?.error?.type === MISSING;
}

interface Failures {
  error?: { type?: string };
}

const MISSING = 'index_not_found_exception';

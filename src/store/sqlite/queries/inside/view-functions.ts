// What the views of a query call for texts that are compressed, for hosts and for the domains of a key. Only they can call it.
import { join } from 'node:path';
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { zstdDecompressSync } from 'node:zlib';
import { ServiceError } from '../../../../contracts/errors/errors.ts';
import type { IndexEntry } from '../../../../page/index-entry.ts';
import type { PageContent } from '../../../../page/page.ts';
import { readDomainList } from '../../../../urls/domain-patterns.ts';
import { bareHost } from '../../../../urls/url.ts';
import { createBlobFolder } from '../../../blobs/blob-folder.ts';
import { contentOf } from '../../../encoding/stored-outcome.ts';
import { hostOf } from '../../../rules/pages/host-list.ts';
import { RESULTS_READ } from '../../../rules/pages/page-summary.ts';
import type { RunTrusted } from './authorizer.ts';
import type { QueryRequest } from './query-messages.ts';

/** As `GET /v2/index/page` shows them. */
const LONGEST_TEXT = 1_000_000;
/** A larger body is left out: its text alone would take the memory of the query. */
const LARGEST_BODY = 32 * 1024 * 1024;
const CHUNK_LIMITS = { maxTokens: 400, overlap: 0 };

const ELSEWHERE =
  'Texts of some pages are in the object store of this server, where queries do not read. Leave out `text`, `markdown` and what is made of them, or narrow the query down.';

type Make = typeof import('../../../../understand/chunks/make-chunks.ts').makeChunks;

interface FunctionDeps {
  /** Begins their names. */
  secret: string;
  runTrusted: RunTrusted;
}

/** Call it before the authorizer is set: the functions read what queries may not. */
export async function addViewFunctions(
  database: DatabaseSync,
  { secret, runTrusted }: FunctionDeps,
  request: QueryRequest,
): Promise<void> {
  const { domains, dataDir, views, chunker } = request;
  const prepare: Prepare = (sql) => {
    const statement = database.prepare(sql);
    return (...values) => runTrusted(() => statement.all(...values));
  };
  const read = createBodyReader(prepare, dataDir);
  const entryOf = createEntryReader(read);
  const markdownOf = createMarkdownReader(prepare, read, request);
  const makeChunks = views.chunks && ((await import(chunker)) as { makeChunks: Make }).makeChunks;
  const isAllowed = readDomainList(domains);

  const add = (name: string, answer: (...values: SQLOutputValue[]) => SQLOutputValue) =>
    database.function(`${secret}${name}`, { deterministic: true, varargs: true, useBigIntArguments: false }, answer);

  add('host', (url) => hostOf(String(url)));
  add('may_list', (text) => {
    const url = URL.parse(String(text));
    return Number(url !== null && isAllowed(bareHost(url)) !== undefined);
  });
  add('entry', (body, field) => {
    const value = entryOf(body)?.[field as keyof IndexEntry];
    if (value === undefined || typeof value === 'number') return value ?? null;
    return typeof value === 'string' ? shortened(value) : JSON.stringify(value);
  });
  add('markdown', (url) => markdownOf(String(url)) ?? null);
  add('version', (body) => {
    const text = read(body)?.toString();
    return text === undefined ? null : shortened(text.slice(text.indexOf('\n') + 1));
  });
  add('chunks', (url, body) => {
    const markdown = markdownOf(String(url));
    if (markdown === undefined || !makeChunks) return null;
    return JSON.stringify(makeChunks({ url: String(url), title: entryOf(body)?.title, markdown }, CHUNK_LIMITS));
  });
}

/** Does not cut between two surrogates. */
const shortened = (text: string): string =>
  text.length > LONGEST_TEXT ? text.slice(0, LONGEST_TEXT).replace(/[\ud800-\udbff]$/, '') : text;

/** In the snapshot of the query: the id of a removed body may be given to another. */
type Prepare = (sql: string) => (...values: SQLInputValue[]) => Record<string, SQLOutputValue>[];
type ReadBody = (id: SQLOutputValue) => Buffer | undefined;

function createBodyReader(prepare: Prepare, dataDir: string): ReadBody {
  const find = prepare('SELECT blob, bytes FROM main.bodies WHERE id = ?');
  const findObject = prepare('SELECT 1 FROM main.objects WHERE name = ?');
  const blobs = createBlobFolder(join(dataDir, 'blobs'));

  const readPacked = (id: number | bigint): Uint8Array | undefined => {
    const [row] = find(id) as { blob: string | null; bytes: Uint8Array | null }[];
    if (!row?.blob) return row?.bytes ?? undefined;
    const found = blobs.read(row.blob);
    if (!found && findObject(row.blob).length > 0) throw new ServiceError('NOT_IMPLEMENTED', { message: ELSEWHERE });
    return found;
  };

  return (id) => {
    if (typeof id !== 'number' && typeof id !== 'bigint') return undefined;
    const packed = readPacked(id);
    try {
      return packed && zstdDecompressSync(packed, { maxOutputLength: LARGEST_BODY });
    } catch {
      // Damaged or too large: as for other readers, that is one text less.
      return undefined;
    }
  };
}

/** Columns of a row come from the same entry, so the last one is kept. */
function createEntryReader(read: ReadBody): (body: SQLOutputValue) => IndexEntry | undefined {
  let last: { body: SQLOutputValue; entry: IndexEntry | undefined } | undefined;
  return (body) => {
    if (last?.body !== body) {
      const bytes = read(body);
      last = { body, entry: bytes && (JSON.parse(bytes.toString()) as IndexEntry) };
    }
    return last?.entry;
  };
}

/** The newest Markdown of a page, from as many results as other readers look at. */
function createMarkdownReader(prepare: Prepare, read: ReadBody, { viewer }: QueryRequest) {
  const owners = JSON.stringify(viewer);
  const results = prepare(`
    SELECT results.body_id AS body FROM (
      SELECT pages.id, fetched_at FROM main.pages, json_each(?1) AS owners
        WHERE pages.owner = owners.value AND pages.url = ?2 AND pages.final_url IS NULL
      UNION ALL SELECT pages.id, fetched_at FROM main.pages, json_each(?1) AS owners
        WHERE pages.owner = owners.value AND pages.final_url = ?2
    ) AS copy JOIN main.results ON results.page_id = copy.id
    ORDER BY copy.fetched_at DESC, copy.id DESC, results.id DESC LIMIT ${RESULTS_READ}`);
  let last: { url: string; markdown: string | undefined } | undefined;

  const find = (url: string): string | undefined => {
    for (const { body } of results(owners, url)) {
      const stored = read(body as number);
      const content = stored && contentOf(stored);
      const { markdown } = content ? (JSON.parse(Buffer.from(content).toString()) as PageContent) : {};
      if (typeof markdown === 'string') return shortened(markdown);
    }
    return undefined;
  };
  return (url: string): string | undefined => {
    if (last?.url !== url) last = { url, markdown: find(url) };
    return last.markdown;
  };
}

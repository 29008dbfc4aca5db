// The tools that read pages, sites and files, called as assistants call them: by the official client, which compares each
// structured answer with the schema of its tool. One service runs for all of them.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { ApiClient } from '../../src/client/api-client.ts';
import { readLocalFile } from '../../src/mcp/read-local-file.ts';
import { until } from '../support/jobs.ts';
import { apiOf, connectMcpClients, type McpClients } from '../support/mcp.ts';
import { useService } from '../support/use-service.ts';

const scene = useService();
const UPLOAD = join(import.meta.dirname, '../documents/docx--lists-tables-comments/source.docx');

type Structured = Record<string, unknown> & {
  id: string;
  status?: string;
  warning?: string;
  markdown?: string;
  metadata: { url: string; scrapeId: string; statusCode: number };
  links: { url: string }[];
  data: { markdown: string; url: string; metadata: { url: string; scrapeId: string } }[] & {
    web: { url: string; markdown: string }[];
    markdown: string;
  };
};

interface Result {
  isError?: boolean;
  content: { type: string; text?: string; uri?: string }[];
  structuredContent: Structured;
}

let api: ApiClient & { close(): Promise<void> };
/** With the usual budget, on the user's machine. */
let local: McpClients;
/** With a small budget and no patience, on another machine. */
let small: McpClients;
const SMALL = 4_000;
let folder: string;

async function connect(): Promise<void> {
  api = apiOf(scene.service);
  local = await connectMcpClients({ api, readFile: readLocalFile });
  small = await connectMcpClients({ api, limits: { maxAnswer: SMALL, maxWaitMs: 0 } });
  // From then on, the clients know the schemas and refuse answers that do not fit.
  for (const { modern, legacy } of [local, small]) await Promise.all([modern.listTools(), legacy.listTools()]);
  folder = await mkdtemp(join(tmpdir(), 'trawl-mcp-'));
}

async function disconnect(): Promise<void> {
  await local?.close();
  await small?.close();
  await api?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
}

interface CallOptions {
  clients?: McpClients;
  signal?: AbortSignal;
  onprogress?(progress: { progress: number; total?: number; message?: string }): void;
}

async function call(name: string, args: object, { clients = local, ...options }: CallOptions = {}): Promise<Result> {
  const asked = { name: `firecrawl_${name}`, arguments: args as Record<string, unknown> };
  const result = (await clients.modern.callTool(asked, options)) as unknown as Result;
  if (result.isError) return result;
  // Assistants that were set up for the public server parse the joined texts as JSON.
  const text = result.content.map((part) => part.text ?? '').join('\n');
  assert.deepEqual(JSON.parse(text), result.structuredContent);
  return result;
}

async function answer(name: string, args: object, options: CallOptions = {}): Promise<Structured> {
  const { isError, content, structuredContent } = await call(name, args, options);
  assert.ok(!isError, content[0]?.text);
  return structuredContent;
}

async function refusal(name: string, args: object, options: CallOptions = {}): Promise<string> {
  const { isError, content } = await call(name, args, options);
  assert.ok(isError, JSON.stringify(content).slice(0, 500));
  return content[0]!.text!;
}

const uris = ({ content }: Result): string[] =>
  content.flatMap(({ type, uri }) => (type === 'resource_link' ? [uri!] : []));
const sizeOf = ({ content }: Result): number => content[0]!.text!.length;
const docs = (path = '/') => scene.web.url('docs.test', path);

describe('the tools for pages', () => {
  before(connect);
  after(disconnect);

  describe('firecrawl_scrape', () => {
    test('returns the page itself, not wrapped in an answer', async () => {
      const page = await answer('scrape', { url: docs('/docs/settings/limits') });
      assert.match(page.markdown!, /\w+/);
      assert.equal(page.metadata.url, docs('/docs/settings/limits'));
      assert.equal(page.data, undefined);
    });

    test('gives a client of the earlier generation the same', async () => {
      const asked = { name: 'firecrawl_scrape', arguments: { url: docs(), formats: ['links'] } };
      const { structuredContent } = (await local.legacy.callTool(asked)) as unknown as Result;
      assert.ok(structuredContent.links.length > 0);
    });

    test('accepts nulls, numbers and lists as texts, JSON in texts, and options beside formats', async () => {
      const page = await answer('scrape', {
        url: docs('/docs/settings'),
        formats: '["json", "links"]',
        jsonOptions: '{"schema": {"type": "object", "properties": {"title": {"type": "string"}}}}',
        onlyMainContent: 'false',
        waitFor: '0',
        timeout: '30000',
        includeTags: null,
        excludeTags: 'nav',
        location: { country: null, languages: [] },
        actions: [],
        proxy: '',
        pdfOptions: { maxPages: '2' },
        requestId: 'abc',
        toolDetail: 'full',
        domainTools: true,
      });
      assert.equal(typeof page.json, 'object');
      assert.ok(Array.isArray(page.links));
      assert.equal(page.markdown, undefined);
    });

    test('answers a question by the format query', async () => {
      const asked = { url: docs('/docs/settings'), formats: ['query'], queryOptions: { prompt: 'What is it about?' } };
      assert.equal(typeof (await answer('scrape', asked)).answer, 'string');
      assert.match(await refusal('scrape', { ...asked, queryOptions: null }), /`queryOptions\.prompt`/);
    });

    test('says what is wrong with its arguments', async () => {
      assert.match(await refusal('scrape', {}), /Set `url`/);
      assert.match(await refusal('scrape', { alexandria: { provider: 'fred', capability: 'x' } }), /no catalogue/);
      assert.match(await refusal('scrape', { url: 'not a url at all' }), /URL/);
      assert.match(await refusal('scrape', { url: docs(), formats: ['poem'] }), /formats/);
      assert.match(await refusal('scrape', { url: docs(), waitFor: 'soon' }), /`waitFor` must be a number/);
      assert.match(await refusal('scrape', { url: docs(), actions: [{ type: 'fly' }] }), /actions/);
      assert.match(await refusal('scrape', { url: docs(), location: { country: 'Atlantis' } }), /two-letter/);
    });

    test('cuts a page that is too long, and links to the rest of it', async () => {
      const asked = { url: scene.web.url('shop.test', '/products'), formats: ['rawHtml', 'links', 'markdown'] };
      const whole = await answer('scrape', asked);
      const cut = await call('scrape', asked, { clients: small });
      assert.ok(JSON.stringify(whole).length > SMALL, 'the page is long enough for this test');
      assert.ok(sizeOf(cut) <= SMALL);
      const { warning, markdown, metadata } = cut.structuredContent;
      assert.match(warning!, /shortened/);
      const [uri = ''] = uris(cut);
      assert.ok(uri.startsWith(`trawl://scrape/${metadata.scrapeId}?`), uri);
      const shown = String(markdown).split('\n\n[... ')[0]!;
      const { contents } = await small.modern.readResource({ uri });
      const rest = (contents[0] as { text: string }).text;
      assert.ok(String(whole.markdown).startsWith(shown));
      assert.ok(String(whole.markdown).slice(shown.length).startsWith(rest.slice(0, 200)), rest.slice(0, 300));
      // For assistants that cannot read resources.
      const again = await answer('scrape', { url: uri }, { clients: small });
      assert.equal(again.markdown, rest);
      assert.match(await refusal('scrape', { url: 'trawl://nothing/at/all' }), /There is no resource/);
    });
  });

  describe('firecrawl_map', () => {
    test('lists the URLs of a site', async () => {
      const { links } = await answer('map', { url: scene.web.url('shop.test'), limit: '20', search: null });
      assert.equal(links.length, 20);
    });

    test('lists as many as fit, and says how to see others', async () => {
      const result = await call('map', { url: scene.web.url('sitemap-huge.test'), sitemap: 'only', limit: 30_000 });
      const { links, warning } = result.structuredContent;
      assert.ok(sizeOf(result) <= 60_000);
      assert.ok(links.length > 500 && links.length < 30_000);
      assert.match(warning!, new RegExp(`\`links\` has ${links.length} of 30000 entries.*\`search\``));
    });
  });

  describe('firecrawl_crawl and firecrawl_check_crawl_status', () => {
    test('a crawl is waited for, with progress, and returns its pages', async () => {
      const seen: { progress: number; message?: string }[] = [];
      const args = { url: docs(), limit: 5, scrapeOptions: '{"formats": ["markdown"], "onlyMainContent": "true"}' };
      const { id, status, data, total } = await answer('crawl', args, { onprogress: (step) => seen.push(step) });
      assert.deepEqual([status, total, data.length], ['completed', 5, 5]);
      assert.equal(seen.at(-1)?.progress, 5);
      assert.match(seen.at(-1)!.message!, new RegExp(id));
      const again = await answer('check_crawl_status', { id });
      assert.deepEqual(
        again.data.map(({ metadata }) => metadata.url),
        data.map(({ metadata }) => metadata.url),
      );
      const last = await answer('check_crawl_status', { id, skip: '4' });
      assert.equal(last.data[0]!.metadata.url, data[4]!.metadata.url);
    });

    test('pages that do not fit are linked, and read by the resource', async () => {
      const { id } = await answer('crawl', {
        url: docs(),
        limit: 8,
        scrapeOptions: { formats: ['markdown', 'links'] },
      });
      const result = await call('check_crawl_status', { id }, { clients: small });
      const { data, next } = result.structuredContent;
      assert.ok(sizeOf(result) <= SMALL);
      assert.ok(data.length > 0 && data.length < 8);
      assert.equal(next, `trawl://crawl/${id}/pages?skip=${data.length}`);
      assert.equal(uris(result)[0], next);
      for (const { metadata } of data) assert.ok(metadata.url && metadata.scrapeId);
      const whole = await api.call('crawlStatus', { params: { id } });
      const { contents } = await small.modern.readResource({ uri: String(next) });
      assert.ok(JSON.stringify(contents).includes(whole.data[data.length]!.metadata.url));
    });

    const slow = () => ({ url: docs(), limit: 50, delay: 50 });
    const statusOf = async (id: string) => (await api.call('crawlStatus', { params: { id } })).status;

    test('a crawl that takes too long goes on, and asking for it does not cancel it', async () => {
      const { id, status, warning } = await answer('crawl', slow(), { clients: small });
      assert.equal(status, 'scraping');
      assert.match(warning!, new RegExp(`firecrawl_check_crawl_status with the id ${id}`));
      const stop = new AbortController();
      const asking = call('check_crawl_status', { id }, { signal: stop.signal, onprogress: () => stop.abort() });
      await assert.rejects(asking);
      assert.equal(await statusOf(id), 'scraping');
      await api.call('pauseCrawl', { params: { id } });
      assert.match((await answer('check_crawl_status', { id })).warning!, /paused/);
      await api.call('cancelCrawl', { params: { id } });
      assert.equal((await answer('check_crawl_status', { id })).status, 'cancelled');
    });

    test('cancelling the call that started a crawl cancels the crawl', async () => {
      const stop = new AbortController();
      let id = '';
      const onprogress = ({ message = '' }) => {
        id = /Crawl (\S+):/.exec(message)?.[1] ?? '';
        stop.abort();
      };
      await assert.rejects(call('crawl', slow(), { signal: stop.signal, onprogress }));
      await until(
        () => statusOf(id),
        (status) => status === 'cancelled',
      );
    });

    test('wrong IDs and options are refused in words', async () => {
      assert.match(await refusal('check_crawl_status', { id: 'nonsense' }), /ID/);
      assert.match(await refusal('check_crawl_status', {}), /`id` is required/);
      assert.match(await refusal('check_crawl_status', { id: crypto.randomUUID() }), /not found/i);
      assert.match(await refusal('crawl', { url: docs(), includePaths: ['('] }), /RE2 syntax/);
      assert.match(await refusal('crawl', { url: docs(), limit: 0 }), /limit/);
    });
  });

  describe('firecrawl_search', () => {
    test('finds pages, in groups by source', async () => {
      const { data, success, id } = await answer('search', { query: 'harbour', limit: '3', sources: '["web"]' });
      assert.equal(success, true);
      assert.ok(id);
      assert.ok(data.web.length > 0);
    });

    test('accepts arguments of the hosted service, and says which one it ignored', async () => {
      const asked = { query: 'harbour', filter: '0', toolDetail: 'compact', domainTools: false };
      const sources = ['web', 'alexandria', { type: 'news' }];
      const { warning } = await answer('search', { ...asked, sources, categories: ['developer'], enterprise: [] });
      assert.match(warning!, /`filter` was ignored/);
    });

    test('reads the results, cut to the budget', async () => {
      const scrapeOptions = { formats: ['markdown'], onlyMainContent: false };
      const result = await call('search', { query: 'harbour', limit: 5, scrapeOptions }, { clients: small });
      assert.ok(sizeOf(result) <= SMALL);
      const [first] = result.structuredContent.data.web;
      assert.match(first!.markdown, /\w+/);
      assert.ok(uris(result).every((uri) => uri.startsWith('trawl://scrape/')));
    });

    test('refuses an empty query and contradictory domains', async () => {
      assert.match(await refusal('search', { query: '  ' }), /query/);
      assert.match(
        await refusal('search', { query: 'a', includeDomains: 'a.test', excludeDomains: ['b.test'] }),
        /not both/,
      );
    });
  });

  describe('runs', () => {
    const schema = { type: 'object', properties: { title: { type: 'string' } } };

    test('firecrawl_extract returns data, and says which URLs it skipped', async () => {
      const { status, data, warning } = await answer('extract', { urls: [docs('/docs'), 'http://'], schema });
      assert.equal(status, 'completed');
      assert.equal(typeof data, 'object');
      assert.match(warning!, /skipped: http:\/\//);
    });

    test('firecrawl_agent returns its result if it is soon there', async () => {
      const asked = { prompt: 'The title of the page', urls: [docs('/docs')], schema: JSON.stringify(schema) };
      const steps: number[] = [];
      const options = { onprogress: ({ progress }: { progress: number }) => steps.push(progress) };
      const done = await answer('agent', { ...asked, strictConstrainToURLs: true, exchange: {} }, options);
      assert.ok(['completed', 'failed'].includes(done.status!), done.status);
      assert.ok(done.threadId);
      assert.match(done.warning!, /`exchange` was ignored/);
      assert.ok(steps.length > 0);
    });

    test('firecrawl_agent answers with an ID if the run takes long, and firecrawl_agent_status with its end', async () => {
      const asked = { prompt: 'The title', urls: [scene.web.url('fault.test', '/stalled-headers')] };
      const { id, status, warning } = await answer('agent', asked, { clients: small });
      assert.equal(status, 'processing');
      assert.match(warning!, /firecrawl_agent_status/);
      await api.call('cancelAgent', { params: { id } });
      const ended = await answer('agent_status', { id });
      assert.deepEqual([ended.status, ended.stopReason], ['failed', 'cancelled']);
    });

    test('firecrawl_agent_status knows extractions, too', async () => {
      const { id } = await answer('extract', { urls: [docs('/docs')], schema }, { clients: small });
      assert.equal((await answer('agent_status', { id })).id, id);
      assert.match(await refusal('agent_status', { id: crypto.randomUUID() }), /not found/i);
    });

    test('cancelling the call that started an agent cancels the agent', async () => {
      const stop = new AbortController();
      let id = '';
      const onprogress = ({ message = '' }) => {
        id = /Run (\S+):/.exec(message)?.[1] ?? '';
        stop.abort();
      };
      const asked = { prompt: 'All prices of the shop', urls: [scene.web.url('fault.test', '/stalled-headers')] };
      await assert.rejects(call('agent', asked, { signal: stop.signal, onprogress }));
      await until(
        () => api.call('agentStatus', { params: { id } }),
        ({ stopReason }) => stopReason === 'cancelled',
      );
    });
  });

  describe('firecrawl_parse', () => {
    test('reads a file of the machine', async () => {
      const { data } = await answer('parse', { filePath: UPLOAD, formats: ['markdown'], maxAge: 0, proxy: 'basic' });
      assert.match(data.markdown, /Quarterly report/);
    });

    test('cuts a long file, and links to the rest', async () => {
      const filePath = join(folder, 'long.md');
      await writeFile(filePath, `# Long\n\n${'A line of this text.\n\n'.repeat(5_000)}`);
      const result = await call('parse', { filePath: `file://${filePath}` });
      assert.ok(sizeOf(result) <= 60_000);
      const [uri = ''] = uris(result);
      const { contents } = await local.modern.readResource({ uri });
      assert.match((contents[0] as { text: string }).text, /A line of this text\./);
    });

    test('reads no hidden files, no other files, and no links to them', async () => {
      const secret = join(folder, '.keys');
      await mkdir(secret);
      await writeFile(join(secret, 'key.txt'), 'secret');
      await writeFile(join(folder, 'id_rsa'), 'secret');
      await symlink(join(folder, 'id_rsa'), join(folder, 'report.pdf'));
      await symlink(join(secret, 'key.txt'), join(folder, 'notes.txt'));
      assert.match(await refusal('parse', { filePath: join(secret, 'key.txt') }), /hidden/);
      assert.match(await refusal('parse', { filePath: join(folder, 'notes.txt') }), /hidden/);
      assert.match(await refusal('parse', { filePath: join(folder, 'id_rsa') }), /name of a document/);
      assert.match(await refusal('parse', { filePath: join(folder, 'report.pdf') }), /name of a document/);
      await mkdir(join(folder, 'folder.pdf'));
      assert.match(await refusal('parse', { filePath: join(folder, 'folder.pdf') }), /not a regular file/);
      assert.match(await refusal('parse', { filePath: join(folder, 'absent.pdf') }), /cannot be read \(ENOENT\)/);
      assert.match(await refusal('parse', {}), /`filePath`.*`uploadRef`/);
      assert.match(await refusal('parse', { filePath: UPLOAD, uploadRef: 'x' }), /`filePath`.*or `uploadRef`/);
    });

    test('a server on another machine says how to upload the file, and parses it then', async () => {
      const filePath = "/home/user/It's a file.md";
      const asked = await answer('parse', { filePath, formats: ['markdown'] }, { clients: small });
      const { upload, nextToolCall } = asked as unknown as {
        upload: { command: string; uploadUrl: string; method: string; headers: Record<string, string> };
        nextToolCall: { name: string; arguments: object };
      };
      assert.ok(upload.command.includes(`--upload-file '/home/user/It'\\''s a file.md' '${upload.uploadUrl}'`));
      const { method, headers } = upload;
      const sent = await fetch(upload.uploadUrl, { method, headers, body: '# Uploaded\n\nA text.' });
      assert.equal(sent.status, 200);
      const { data } = await answer('parse', nextToolCall.arguments, { clients: small });
      assert.match(data.markdown, /# Uploaded/);
    });

    test('a server on another machine asks for no hidden file, and for none that is no document', async () => {
      const from = { clients: small };
      for (const filePath of ['/home/user/.ssh/notes.md', '~/.secret.pdf', 'C:\\Users\\me\\.aws\\keys.txt'])
        assert.match(await refusal('parse', { filePath }, from), /is hidden, or in a hidden folder/, filePath);
      for (const filePath of ['/home/user/id_rsa', '/etc/passwd', 'wallet.dat'])
        assert.match(await refusal('parse', { filePath }, from), /does not have the name of a document/, filePath);
      const { upload } = (await answer('parse', { filePath: '../plans/./report.pdf' }, from)) as unknown as {
        upload: object;
      };
      assert.ok(upload);
    });
  });
});

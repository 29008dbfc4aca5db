// Whether existing clients of the v2 interface work here: the public MCP server, unchanged, with the calls of an assistant.
// A call that fails, or does not return the expected page, is a row with 0.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchPages, startSearchWeb } from '../test/support/search/search.ts';
import { searchCorpus } from '../test/support/search/search-corpus.ts';
import { type RunningService, startServiceWith } from '../test/support/service.ts';
import type { Web } from '../test/support/web.ts';
import { type McpSession, startMcp } from './mcp-session.ts';
import { installPeers, PEERS } from './peers.ts';
import type { Row } from './report.ts';

const PEER = join(PEERS, 'firecrawl-mcp');
const PROGRAM = join(PEER, 'node_modules/firecrawl-mcp/dist/index.js');

const SITE = [
  { at: 'shelf.test/', title: 'The shelf', text: 'A shelf of herbals.', html: '<a href="/herbal">The herbal</a>' },
  { at: 'shelf.test/herbal', title: 'The herbal', text: 'Lovage is in the herbal, and so is tansy.' },
];

/** The fields that are checked. */
interface Answer {
  success?: boolean;
  id?: string;
  status?: string;
  markdown?: string;
  metadata?: { scrapeId?: string };
  links?: { url: string }[];
  feedbackId?: string;
}

type Call = (
  what: string,
  tool: string,
  parameters: object,
  isRight: (answer: Answer, text: string) => boolean,
) => Promise<Answer>;

export async function clients(): Promise<Row[]> {
  installPeers(PEER);
  const pages = [...searchCorpus(Date.now()), ...SITE];
  const home = await mkdtemp(join(tmpdir(), 'trawl-mcp-'));
  const web = await startSearchWeb(pages);
  const service = await startServiceWith(web, {}, { checkAnswers: false });
  try {
    await fetchPages(service, web, pages);
    const session = await startMcp(PROGRAM, environment(service, home), home);
    try {
      return await runCalls(session, web);
    } finally {
      await session.stop();
    }
  } finally {
    await service.stop();
    await web.stop();
    await rm(home, { recursive: true, force: true });
  }
}

const UPLOAD = join(import.meta.dirname, '../test/documents/docx--lists-tables-comments/source.docx');

const environment = ({ url, key }: RunningService, home: string) => ({
  PATH: process.env.PATH,
  HOME: home,
  FIRECRAWL_API_URL: url,
  FIRECRAWL_API_KEY: key,
});

async function runCalls(session: McpSession, web: Web): Promise<Row[]> {
  const rows: Row[] = [{ measure: 'tools offered', value: (await session.tools()).length, unit: 'tools' }];
  const call: Call = async (what, tool, parameters, isRight) => {
    const text = await textOf(session, tool, parameters);
    const answer = readAnswer(text);
    const works = answer !== undefined && isRight(answer, text);
    if (!works) {
      console.log(`\n${tool} (${what}) fails.\nArguments: ${JSON.stringify(parameters)}\nAnswer: ${text}`);
      process.exitCode = 1;
    }
    rows.push({ measure: `${tool}: ${what}`, value: works ? 1 : 0, unit: 'works', aim: '1' });
    return answer ?? {};
  };
  await callSearches(call);
  await callOthers(call, web);
  return rows;
}

async function callSearches(call: Call): Promise<void> {
  const tool = 'firecrawl_search';
  const returns =
    (...wanted: RegExp[]) =>
    (answer: Answer, text: string) =>
      answer.success === true && wanted.every((pattern) => pattern.test(text));
  const { id } = await call('query only', tool, { query: 'brass kettle' }, returns(/north\.test/, /"web":/));
  await call(
    'operators and limit',
    tool,
    { query: 'kettle -site:north.test', limit: 1 },
    (answer, text) => returns(/south\.test/)(answer, text) && !text.includes('north.test'),
  );
  const sources = [{ type: 'web' }, { type: 'images' }, { type: 'news' }];
  const three = returns(/magazine\.test/, /images\/ferry\.jpg/, /"news":/);
  await call('web, images and news', tool, { query: 'ferry strike', sources }, three);
  const dated = { query: 'glacier moraine', tbs: 'qdr:d', includeDomains: ['ice.test'] };
  await call(
    'time and domain',
    tool,
    dated,
    (answer, text) => returns(/ice\.test:\d+\/day/)(answer, text) && !text.includes('/years'),
  );
  await call(
    'category',
    tool,
    { query: 'lexer parser', categories: ['research'] },
    returns(/"category":\s*"research"/),
  );
  await call('unknown category', tool, { query: 'lexer parser', categories: ['developer'] }, returns(/github\.com/));
  const scraped = {
    query: 'invar pendulum',
    limit: 1,
    scrapeOptions: { formats: ['markdown'], onlyMainContent: true },
  };
  await call('with scraped pages', tool, scraped, returns(/"markdown":/, /The last paragraph/));

  const isStored = ({ success, feedbackId }: Answer) => success === true && feedbackId !== undefined;
  const rating = { rating: 'partial', missingContent: [{ topic: 'prices' }] };
  await call('about that search', 'firecrawl_search_feedback', { searchId: id, ...rating }, isStored);
}

async function callOthers(call: Call, web: Web): Promise<void> {
  const url = web.url('shelf.test');
  const herbal = web.url('shelf.test', '/herbal');
  const scrape = { url: herbal, formats: ['markdown'] };
  const { metadata } = await call(
    'markdown',
    'firecrawl_scrape',
    scrape,
    ({ markdown }) => markdown?.startsWith('# The herbal') === true,
  );
  const feedback = {
    endpoint: 'scrape',
    jobId: metadata?.scrapeId,
    rating: 'bad',
    issues: ['missing_content'],
    url: herbal,
  };
  await call('about that scrape', 'firecrawl_feedback', feedback, ({ success }) => success === true);
  await call(
    'whole site',
    'firecrawl_map',
    { url },
    ({ links }) => links?.some((link) => link.url === herbal) === true,
  );
  const isComplete = ({ status }: Answer, text: string) => status === 'completed' && text.includes('# The herbal');
  const { id } = await call('whole site', 'firecrawl_crawl', { url, limit: 5 }, isComplete);
  await call('of that crawl', 'firecrawl_check_crawl_status', { id }, isComplete);
  const parse = { filePath: UPLOAD, formats: ['markdown'] };
  await call('a file', 'firecrawl_parse', parse, (_, text) => text.includes('Quarterly report'));
}

/** The text of the tool's answer, or the error. */
async function textOf(session: McpSession, tool: string, parameters: object): Promise<string> {
  try {
    const { isError, content } = await session.call(tool, parameters);
    const text = content.map((part) => part.text ?? '').join('\n');
    return isError ? `Error: ${text}` : text;
  } catch (error) {
    return String(error);
  }
}

function readAnswer(text: string): Answer | undefined {
  try {
    return JSON.parse(text) as Answer;
  } catch {
    return undefined;
  }
}

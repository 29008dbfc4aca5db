// The calls of an assistant, one list for every MCP server.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../../../test/support/program.ts';
import { addresses, type Case, expect, type Scene } from '../client.ts';
import type { McpServer } from './servers.ts';
import type { McpSession } from './session.ts';

const UPLOAD = join(ROOT, 'test/documents/docx--lists-tables-comments/source.docx');

/** The fields that are checked. */
interface Answer {
  success?: boolean;
  id?: string;
  status?: string;
  markdown?: string;
  metadata?: { scrapeId?: string };
  links?: { url: string }[];
  feedbackId?: string;
  data?: { id?: string; status?: string };
}

type IsRight = (answer: Answer, text: string) => boolean;

/** A call of a tool. `parameters` may need what an earlier call of the same case returned. */
type Call = (tool: string, parameters: object, isRight?: IsRight) => Promise<Answer>;

interface Stage {
  session: McpSession;
  /** Another session, with another key. */
  start(key: string): Promise<McpSession>;
  scene: Scene;
  server: Pick<McpServer, 'readsLocalFiles'>;
}

export function mcpCases({ session, start, scene, server }: Stage): Case[] {
  const call = callWith(session);
  return [
    ...searches(call),
    ...pages(call, scene),
    upload(call, server),
    wrongKey(start, scene),
    ...browsers(call, scene),
    ...later(call, scene),
  ];
}

const upload = (call: Call, { readsLocalFiles }: Stage['server']): Case => ({
  name: 'parse: upload',
  skip: readsLocalFiles ? undefined : 'a server elsewhere cannot read files of this machine',
  run: () =>
    call('firecrawl_parse', { filePath: UPLOAD, formats: ['markdown'] }, (_, text) =>
      text.includes('Quarterly report'),
    ),
});

/** Some servers refuse the key at once, others with the first call. */
const wrongKey = (start: Stage['start'], { web }: Scene): Case => ({
  name: 'error: wrong key',
  async run() {
    let other: McpSession | undefined;
    let text: string;
    try {
      other = await start('fc-wrong');
      text = await textOf(other, 'firecrawl_scrape', { url: addresses(web).page });
    } catch (error) {
      text = String(error);
    } finally {
      await other?.stop();
    }
    expect(/401|unauthorized/i.test(text), 'an error about the key', text);
  },
});

function callWith(session: McpSession): Call {
  return async (tool, parameters, isRight = () => true) => {
    const text = await textOf(session, tool, parameters);
    const answer = readAnswer(text);
    if (answer === undefined) throw new Error(text);
    expect(isRight(answer, text), `the right answer of ${tool} to ${JSON.stringify(parameters)}`, text);
    return answer;
  };
}

const returns =
  (...wanted: RegExp[]): IsRight =>
  ({ success }, text) =>
    success === true && wanted.every((pattern) => pattern.test(text));

function searches(call: Call): Case[] {
  const search = (name: string, parameters: object, isRight: IsRight): Case => ({
    name: `search: ${name}`,
    run: () => call('firecrawl_search', parameters, isRight),
  });
  const sources = [{ type: 'web' }, { type: 'images' }, { type: 'news' }];
  const scrapeOptions = { formats: ['markdown'], onlyMainContent: true };
  return [
    search('query only', { query: 'brass kettle' }, returns(/north\.test/, /"web":/)),
    search(
      'operators and limit',
      { query: 'kettle -site:north.test', limit: 1 },
      (answer, text) => returns(/south\.test/)(answer, text) && !text.includes('north.test'),
    ),
    search(
      'web, images and news',
      { query: 'ferry strike', sources },
      returns(/magazine\.test/, /images\/ferry\.jpg/, /"news":/),
    ),
    search(
      'time and domain',
      { query: 'glacier moraine', tbs: 'qdr:d', includeDomains: ['ice.test'] },
      (answer, text) => returns(/ice\.test:\d+\/day/)(answer, text) && !text.includes('/years'),
    ),
    search('category', { query: 'lexer parser', categories: ['research'] }, returns(/"category":\s*"research"/)),
    search('unknown category', { query: 'lexer parser', categories: ['developer'] }, returns(/github\.com/)),
    search(
      'scrapeOptions',
      { query: 'invar pendulum', limit: 1, scrapeOptions },
      returns(/"markdown":/, /The last paragraph/),
    ),
    {
      name: 'search: feedback',
      async run() {
        const { id } = await call('firecrawl_search', { query: 'brass kettle' });
        const rating = { searchId: id, rating: 'partial', missingContent: [{ topic: 'prices' }] };
        await call('firecrawl_search_feedback', rating, ({ feedbackId }) => feedbackId !== undefined);
      },
    },
  ];
}

function pages(call: Call, { web }: Scene): Case[] {
  const url = web.url('shelf.test');
  const herbal = web.url('shelf.test', '/herbal');
  const scrape = { url: herbal, formats: ['markdown'] };
  const isComplete: IsRight = ({ status }, text) => status === 'completed' && text.includes('# The herbal');
  return [
    {
      name: 'scrape: markdown',
      run: () => call('firecrawl_scrape', scrape, ({ markdown }) => markdown?.startsWith('# The herbal') === true),
    },
    {
      name: 'scrape: html, links',
      run: () =>
        call('firecrawl_scrape', { url: addresses(web).page, formats: ['html', 'links'] }, (_, text) =>
          /"links":\s*\[\s*"http/.test(text),
        ),
    },
    {
      name: 'scrape: page with status 404',
      run: () => call('firecrawl_scrape', { url: addresses(web).missing }, (_, text) => /404/.test(text)),
    },
    {
      name: 'scrape: feedback',
      async run() {
        const { metadata } = await call('firecrawl_scrape', scrape);
        const rating = { endpoint: 'scrape', rating: 'bad', issues: ['missing_content'], url: herbal };
        const isStored: IsRight = ({ success }) => success === true;
        await call('firecrawl_feedback', { ...rating, jobId: metadata?.scrapeId }, isStored);
      },
    },
    {
      name: 'map',
      run: () => call('firecrawl_map', { url }, ({ links }) => links?.some((link) => link.url === herbal) === true),
    },
    {
      name: 'crawl: waiter and status',
      async run() {
        const { id } = await call('firecrawl_crawl', { url, limit: 5 }, isComplete);
        await call('firecrawl_check_crawl_status', { id }, isComplete);
      },
    },
    { name: 'credit usage', run: () => call('firecrawl_credit_usage', {}, (_, text) => /remaining/i.test(text)) },
  ];
}

function browsers(call: Call, { web, noBrowser, noSandbox }: Scene): Case[] {
  const { counter } = addresses(web);
  return [
    {
      name: 'scrape: screenshot',
      skip: noBrowser,
      run: () =>
        call('firecrawl_scrape', { url: counter, formats: ['screenshot'] }, (_, text) => /"screenshot"/.test(text)),
    },
    {
      name: 'interact: code',
      skip: noBrowser ?? noSandbox,
      async run() {
        const { metadata } = await call('firecrawl_scrape', { url: counter, formats: ['markdown'], maxAge: 0 });
        const scrapeId = metadata?.scrapeId;
        const code = { scrapeId, code: 'page.url()', language: 'node', timeout: 60 };
        await call('firecrawl_interact', code, (_, text) => text.includes(counter));
        await call('firecrawl_interact_stop', { scrapeId }, ({ success }) => success === true);
      },
    },
  ];
}

/** Calls that go on by themselves, or that a language model makes better. */
function later(call: Call, { web, noBrowser }: Scene): Case[] {
  const { page } = addresses(web);
  const schema = { type: 'object', properties: { title: { type: 'string' } } };
  const monitor = {
    name: 'News',
    schedule: { text: 'every 30 minutes', timezone: 'UTC' },
    targets: [{ type: 'scrape', urls: [page] }],
  };
  return [
    {
      name: 'scrape: json',
      run: () =>
        call('firecrawl_scrape', { url: page, formats: ['json'], jsonOptions: { prompt: 'The title', schema } }),
    },
    { name: 'extract', run: () => call('firecrawl_extract', { urls: [page], prompt: 'The title', schema }) },
    {
      name: 'agent, status',
      async run() {
        const { id } = await call('firecrawl_agent', { prompt: 'Find the title', urls: [page], schema });
        const isKnown: IsRight = ({ status }) => ['processing', 'completed'].includes(status ?? '');
        await until(
          () => call('firecrawl_agent_status', { id }, isKnown),
          ({ status }) => status === 'completed',
        );
      },
    },
    {
      name: 'interact: prompt',
      skip: noBrowser,
      async run() {
        const { metadata } = await call('firecrawl_scrape', { url: page, formats: ['markdown'] });
        await call('firecrawl_interact', { scrapeId: metadata?.scrapeId, prompt: 'What is the title?' });
      },
    },
    {
      name: 'monitor: create, get, run, checks, update, delete',
      async run() {
        const { data: made } = await call('firecrawl_monitor_create', { body: monitor });
        const id = made?.id;
        await call('firecrawl_monitor_get', { id }, ({ data }) => data?.id === id);
        const { data: check } = await call('firecrawl_monitor_run', { id });
        const ids = { id, checkId: check?.id };
        await until(
          () => call('firecrawl_monitor_check', ids),
          ({ data }) => data?.status === 'completed',
        );
        await call('firecrawl_monitor_checks', { id }, (_, text) => text.includes(String(check?.id)));
        await call(
          'firecrawl_monitor_update',
          { id, body: { status: 'paused' } },
          ({ data }) => data?.status === 'paused',
        );
        await call('firecrawl_monitor_delete', { id }, ({ success }) => success === true);
      },
    },
    { name: 'monitor: list', run: () => call('firecrawl_monitor_list', {}) },
  ];
}

async function until(ask: () => Promise<Answer>, isOver: (answer: Answer) => boolean): Promise<void> {
  while (!isOver(await ask())) await sleep(500);
}

/** The text of the tool's answer, or the error. */
async function textOf(session: McpSession, tool: string, parameters: object): Promise<string> {
  try {
    const { isError, content } = await session.call(tool, parameters);
    const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
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

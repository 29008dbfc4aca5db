// For each tool of the MCP server, a good and a bad call, sent in this order after those of calls.ts.
import type { CallToolResult } from '@modelcontextprotocol/client';
import type { Body, RecordedScene } from './scene.ts';
import { UNKNOWN_ID } from './scene.ts';

type Arguments = Record<string, unknown>;

export interface RecordedTool {
  good(scene: RecordedScene): Arguments | Promise<Arguments>;
  bad: Arguments;
  settle?(scene: RecordedScene, structured: Body): unknown;
}

const SCHEMA = { type: 'object', properties: { height: { type: 'string' } } };
const PAPER = 'arxiv:1706.03762';
const unknown = { id: UNKNOWN_ID };
const ofMonitor = ({ ids }: RecordedScene) => ({ id: ids.toolMonitor });

/** By the name without its prefix. */
export const TOOL_CALLS: Readonly<Record<string, RecordedTool>> = {
  scrape: {
    good: (scene) => ({ url: scene.page('/article') }),
    bad: { url: 'http://127.0.0.1:1/', formats: ['poem'] },
  },
  map: { good: (scene) => ({ url: scene.page(), limit: '10' }), bad: { url: '' } },
  crawl: {
    good: (scene) => ({ url: scene.page(), limit: 2, maxConcurrency: 1 }),
    bad: { url: 'http://harbour.test', limit: 0 },
    settle(scene, { id }) {
      scene.ids.toolCrawl = id;
    },
  },
  check_crawl_status: { good: ({ ids }) => ({ id: ids.toolCrawl }), bad: unknown },
  search: {
    good: () => ({ query: 'lighthouse', limit: 3 }),
    bad: { query: ' ' },
    settle(scene, { id }) {
      scene.ids.toolSearch = id;
    },
  },
  answer: { good: () => ({ query: 'Who kept the lighthouse on the moon?', limit: 1 }), bad: { query: ' ' } },
  search_feedback: {
    good: ({ ids }) => ({ searchId: ids.toolSearch, rating: 'partial', missingContent: [{ topic: 'prices' }] }),
    bad: { searchId: UNKNOWN_ID, rating: 'good' },
  },
  feedback: {
    good: ({ ids }) => ({ endpoint: 'scrape', jobId: ids.scrape, rating: 'bad', issues: 'too_short' }),
    bad: { endpoint: 'alexandria', rating: 'bad' },
  },
  parse: { good: ({ ids }) => ({ uploadRef: ids.uploadRef, formats: ['markdown'] }), bad: {} },
  extract: { good: (scene) => ({ urls: [scene.page('/article')], schema: SCHEMA }), bad: { urls: [] } },
  agent: {
    good: (scene) => ({
      prompt: 'The height',
      urls: [scene.page('/article')],
      schema: SCHEMA,
      strictConstrainToURLs: true,
    }),
    bad: { prompt: '' },
    settle(scene, { id }) {
      scene.ids.toolAgent = id;
    },
  },
  agent_status: { good: ({ ids }) => ({ id: ids.toolAgent }), bad: unknown },
  query: { good: () => ({ sql: 'SELECT 1 AS one' }), bad: { sql: 'SELECT nothing' } },
  interact: { good: (scene) => ({ url: scene.page('/article'), prompt: 'Open the keeper' }), bad: { code: '1' } },
  interact_stop: { good: ({ ids }) => ({ scrapeId: ids.scrape }), bad: { scrapeId: UNKNOWN_ID } },
  credit_usage: { good: () => ({}), bad: { view: 'current', byApiKey: true } },
  find_tools: { good: () => ({ query: 'flat prices', level: 'tools' }), bad: {} },
  monitor_create: {
    good: (scene) => ({ page: scene.page('/article'), goal: 'The height', scheduleText: 'weekly' }),
    bad: { goal: 'News' },
    settle(scene, { data }) {
      scene.ids.toolMonitor = data.id;
    },
  },
  monitor_list: { good: () => ({ limit: '5' }), bad: { limit: 0 } },
  monitor_get: { good: ofMonitor, bad: unknown },
  monitor_update: {
    good: (scene) => ({ ...ofMonitor(scene), body: { name: 'Heights' } }),
    bad: { ...unknown, body: {} },
  },
  monitor_run: {
    good: ofMonitor,
    bad: unknown,
    async settle(scene, { data }) {
      scene.ids.toolCheck = data.id;
      const params = { id: scene.ids.toolMonitor!, checkId: data.id };
      const isDone = ({ data: check }: Body) => check.status !== 'queued' && check.status !== 'running';
      await scene.waitFor('getCheck', { params }, isDone);
    },
  },
  monitor_checks: { good: ofMonitor, bad: unknown },
  monitor_check: {
    good: (scene) => ({ ...ofMonitor(scene), checkId: scene.ids.toolCheck }),
    bad: { ...unknown, checkId: 'x' },
  },
  monitor_delete: { good: ofMonitor, bad: unknown },
  research_search_papers: { good: () => ({ query: 'lighthouse', k: 5 }), bad: { query: 'lighthouse', k: 0 } },
  research_inspect_paper: { good: () => ({ paperId: PAPER }), bad: { paperId: 'arxiv:none' } },
  research_related_papers: {
    good: () => ({ seed_ids: [PAPER], intent: 'lamps', mode: 'similar' }),
    bad: { seed_ids: [], intent: 'lamps' },
  },
  research_read_paper: { good: () => ({ paperId: PAPER, question: 'Which ships?' }), bad: { paperId: PAPER } },
  research_search_github: { good: () => ({ query: 'lighthouse', k: 5 }), bad: { query: '' } },
  developer_search: { good: () => ({ query: 'lighthouse', types: ['issue'] }), bad: { query: 'x', skills: 'some' } },
};

/** A text that only repeats the structured answer is not recorded twice. */
export function shownResult({ isError, content, structuredContent }: CallToolResult): object {
  const parts = content.map((part) =>
    part.type === 'text' && part.text === JSON.stringify(structuredContent) ? '<structuredContent>' : part,
  );
  return { isError, content: parts, structuredContent };
}

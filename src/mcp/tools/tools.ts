// All tools, in the order in which clients show them.
import type { Tool } from '../tool.ts';
import { creditUsage } from './credit-usage.ts';
import { feedback, searchFeedback } from './feedback.ts';
import { findTools } from './find-tools.ts';
import { interact, interactStop } from './interact.ts';
import { getCheck, listChecks, runMonitor } from './monitor/checks.ts';
import { createMonitor, deleteMonitor, getMonitor, listMonitors, updateMonitor } from './monitor/monitors.ts';
import { agent } from './page/agent.ts';
import { agentStatus } from './page/agent-status.ts';
import { answer } from './page/answer.ts';
import { checkCrawlStatus } from './page/check-crawl-status.ts';
import { crawl } from './page/crawl.ts';
import { extract } from './page/extract.ts';
import { map } from './page/map.ts';
import { parse } from './page/parse.ts';
import { query } from './page/query.ts';
import { scrape } from './page/scrape.ts';
import { search } from './page/search.ts';
import { developerSearch, searchGithub } from './research/code.ts';
import { inspectPaper, readPaper, relatedPapers, searchPapers } from './research/papers.ts';

export const TOOLS: readonly Tool[] = [
  ...[scrape, map, search, answer, crawl, checkCrawlStatus, extract, agent, agentStatus, parse, query],
  ...[interact, interactStop],
  ...[createMonitor, listMonitors, getMonitor, updateMonitor, deleteMonitor, runMonitor, listChecks, getCheck],
  ...[searchPapers, inspectPaper, relatedPapers, readPaper, searchGithub, developerSearch],
  ...[searchFeedback, feedback, creditUsage, findTools],
];

// The tools beside those that read pages: the live browser, monitors, research, ratings, credits.
import type { Tool } from '../tool.ts';
import { creditUsage } from './credit-usage.ts';
import { feedback, searchFeedback } from './feedback.ts';
import { findTools } from './find-tools.ts';
import { interact, interactStop } from './interact.ts';
import { getCheck, listChecks, runMonitor } from './monitor/checks.ts';
import { createMonitor, deleteMonitor, getMonitor, listMonitors, updateMonitor } from './monitor/monitors.ts';
import { developerSearch, searchGithub } from './research/code.ts';
import { inspectPaper, readPaper, relatedPapers, searchPapers } from './research/papers.ts';

export const MORE_TOOLS: readonly Tool[] = [
  interact,
  interactStop,
  createMonitor,
  listMonitors,
  getMonitor,
  updateMonitor,
  deleteMonitor,
  runMonitor,
  listChecks,
  getCheck,
  searchPapers,
  inspectPaper,
  relatedPapers,
  readPaper,
  searchGithub,
  developerSearch,
  searchFeedback,
  feedback,
  creditUsage,
  findTools,
];

// All tools, in the order in which clients show them.
import type { Tool } from '../tool.ts';
import { MORE_TOOLS } from './more-tools.ts';
import { PAGE_TOOLS } from './page-tools.ts';

export const TOOLS: readonly Tool[] = [...PAGE_TOOLS, ...MORE_TOOLS];

// All tools, in the order in which clients show them.
import type { Tool } from '../tool.ts';
import { creditUsage } from './credit-usage.ts';

export const TOOLS: readonly Tool[] = [creditUsage];

// Which tools an assistant is shown. Each one costs it tokens in every conversation, so people and operators choose some by
// name, and a restricted key is shown only what it may use.

import { SettingError } from '../../util/setting-error.ts';
import type { KeyGroup } from '../team/policy.ts';

const PREFIX = 'firecrawl_';

/** By the groups of calls that keys can be restricted to: the same words choose tools. */
const TOOLSETS: Readonly<Record<KeyGroup, readonly string[]>> = {
  scrape: ['scrape', 'query'],
  'batch-scrape': [],
  crawl: ['crawl', 'check_crawl_status'],
  map: ['map'],
  search: ['search', 'answer', 'search_feedback'],
  extract: ['extract', 'agent_status'],
  agent: ['agent', 'agent_status'],
  parse: ['parse'],
  browser: ['interact', 'interact_stop'],
  monitor: ['create', 'list', 'get', 'update', 'delete', 'run', 'checks', 'check'].map((name) => `monitor_${name}`),
  collection: [],
  research: [
    ...['search_papers', 'inspect_paper', 'related_papers', 'read_paper', 'search_github'].map(
      (name) => `research_${name}`,
    ),
    'developer_search',
  ],
};
/** Every key may use them. */
const OF_ALL_KEYS = ['feedback', 'credit_usage', 'find_tools'];
const NAMES = new Set([...Object.values(TOOLSETS).flat(), ...OF_ALL_KEYS].map((name) => PREFIX + name));

export interface NamedTools {
  tools: ReadonlySet<string>;
  /** Names of neither tools nor toolsets. */
  unknown: readonly string[];
}

/** Names of tools, with or without the prefix, and of toolsets, separated by commas. */
export function readToolChoice(text: string): NamedTools {
  const tools = new Set<string>();
  const unknown: string[] = [];
  for (const word of text.split(',')) {
    const name = word.trim().toLowerCase();
    if (name === '') continue;
    const set = Object.hasOwn(TOOLSETS, name) ? TOOLSETS[name as KeyGroup] : [];
    const found = [...set.map((each) => PREFIX + each), ...[name, PREFIX + name].filter((each) => NAMES.has(each))];
    if (found.length === 0) unknown.push(word.trim());
    for (const each of found) tools.add(each);
  }
  return { tools, unknown };
}

/** One sentence about names that are unknown. */
export const explainUnknown = (unknown: readonly string[]): string =>
  `No tool or group of tools is named ${unknown.map((name) => JSON.stringify(name)).join(', ')}. Use names such as scrape, search, crawl or firecrawl_map, separated by commas.`;

/** The same for a setting, or a flag. Throws SettingError. */
export function parseToolChoice(text: string): ReadonlySet<string> {
  const { tools, unknown } = readToolChoice(text);
  if (unknown.length > 0) throw new SettingError(explainUnknown(unknown));
  if (tools.size === 0) throw new SettingError('It names no tool.');
  return tools;
}

/** The tools that a key with these groups may use. */
export const toolsOfGroups = (groups: readonly KeyGroup[]): ReadonlySet<string> =>
  new Set([...groups.flatMap((group) => TOOLSETS[group]), ...OF_ALL_KEYS].map((name) => PREFIX + name));

// Which tools of the MCP server an assistant is shown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseToolChoice, readToolChoice, toolsOfGroups } from '../../../src/contracts/mcp/toolsets.ts';
import { KEY_GROUPS } from '../../../src/contracts/team/policy.ts';
import { instructionsFor } from '../../../src/mcp/instructions.ts';
import { TOOLS } from '../../../src/mcp/tools/tools.ts';

test('a key for every group is shown every tool, and no name is of a tool that does not exist', () => {
  assert.deepEqual([...toolsOfGroups(KEY_GROUPS)].toSorted(), TOOLS.map(({ name }) => name).toSorted());
});

test('a choice names tools, with or without the prefix, and groups of calls', () => {
  const { tools, unknown } = readToolChoice(' Scrape, firecrawl_map,credit_usage,agent,,teleport, constructor ');
  assert.deepEqual(
    [...tools],
    ['scrape', 'query', 'map', 'credit_usage', 'agent', 'agent_status'].map((name) => `firecrawl_${name}`),
  );
  assert.deepEqual(unknown, ['teleport', 'constructor']);
});

test('a setting that names no tool, or an unknown one, is refused', () => {
  assert.throws(() => parseToolChoice(' , '), /It names no tool/);
  assert.throws(() => parseToolChoice('scrape,teleport'), /No tool or group of tools is named "teleport"/);
});

test('the instructions speak only of the tools that are shown', () => {
  const names = toolsOfGroups(['map', 'parse']);
  const text = instructionsFor(TOOLS.filter(({ name }) => names.has(name)));
  assert.match(text, /- a site, but not the page: firecrawl_map/);
  assert.doesNotMatch(text, /firecrawl_(scrape|crawl|monitor)/);
});

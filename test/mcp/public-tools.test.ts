// An assistant that is set up for the public MCP server finds every tool and argument that it knows.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { listTools } from '../../src/mcp/list-tools.ts';
import { TOOLS } from '../../src/mcp/tools/tools.ts';

interface PublicTool {
  arguments: string[];
  required: string[];
}

/** Names and arguments of firecrawl-mcp 3.26.0. */
const PUBLIC = JSON.parse(readFileSync(join(import.meta.dirname, 'public-tools.json'), 'utf8')) as Record<
  string,
  PublicTool
>;

/** Arguments for the marketplace of data providers, which only the hosted service has. They are ignored. */
const OF_MARKETPLACE: Record<string, readonly string[]> = {
  firecrawl_feedback: ['requestedWebsite', 'rationale', 'providerFeedback', 'capabilityFeedback'],
  firecrawl_find_tools: PUBLIC.firecrawl_find_tools!.arguments.filter((name) => name !== 'query'),
};

const ours = new Map(listTools(TOOLS).map((tool) => [tool.name, tool]));
const propertiesOf = (name: string) => Object.keys(ours.get(name)?.inputSchema.properties ?? {});

/** What only this server has. */
const OWN = ['firecrawl_answer', 'firecrawl_query'];

test('the tools have the same names', () => {
  assert.deepEqual([...ours.keys()].toSorted(), [...Object.keys(PUBLIC), ...OWN].toSorted());
});

for (const [name, known] of Object.entries(PUBLIC)) {
  test(`${name} has the same arguments, and needs no others`, () => {
    const absent = OF_MARKETPLACE[name] ?? [];
    assert.deepEqual(
      known.arguments.filter((each) => !propertiesOf(name).includes(each)),
      [...absent],
    );
    const required = ours.get(name)?.inputSchema.required ?? [];
    assert.deepEqual(
      required.filter((each) => !known.required.includes(each)),
      [],
    );
  });
}

test('every tool says what it does to the world, and what its answer looks like', () => {
  for (const { name, title, description, annotations, outputSchema } of ours.values()) {
    assert.ok(title && description && outputSchema, name);
    for (const hint of ['readOnlyHint', 'destructiveHint', 'openWorldHint'] as const) {
      assert.equal(typeof annotations?.[hint], 'boolean', `${name} ${hint}`);
    }
    assert.ok(!(annotations?.readOnlyHint && annotations.destructiveHint), name);
  }
});

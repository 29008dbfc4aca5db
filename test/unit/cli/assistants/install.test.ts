// `trawl mcp install` and `uninstall` change one entry of an assistant's settings, and nothing else.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { runTrawlHere } from '../../../support/run-trawl-here.ts';

const home = mkdtempSync(join(tmpdir(), 'trawl-assistants-'));
after(() => rmSync(home, { recursive: true }));

const CURSOR = join(home, '.cursor/mcp.json');
const OTHERS =
  '{\n    "theme": "dark",\n    "mcpServers": {\n        "other": {\n            "command": "x"\n        }\n    }\n}\n';
const PROGRAM = ['/usr/bin/node', '/opt/trawl/bin/trawl.mjs'];

const user = { url: undefined, key: undefined, home, applicationFolder: join(home, 'apps'), mcpTools: undefined };
const trawl = (...args: string[]) => runTrawlHere(['mcp', ...args], { ...user, program: PROGRAM });
const entryIn = (file: string, list = 'mcpServers') => JSON.parse(readFileSync(file, 'utf8'))[list].trawl;

beforeEach(() => {
  rmSync(home, { recursive: true });
  mkdirSync(join(home, '.cursor'), { recursive: true });
  writeFileSync(CURSOR, OTHERS);
});

test('an entry is shown, written beside those of others, and taken out again', async () => {
  const { code, out, err } = await trawl('install', 'cursor', '--tools', 'scrape,search');
  assert.equal(code, 0, err);
  const entry = { command: PROGRAM[0], args: [PROGRAM[1], 'mcp'], env: { TRAWL_MCP_TOOLS: 'scrape,search' } };
  assert.deepEqual(JSON.parse(out), { mcpServers: { trawl: entry } });
  assert.deepEqual(entryIn(CURSOR), entry);
  assert.match((await trawl('install', 'cursor', '--tools', 'scrape,search')).err, /has it already/);

  assert.match((await trawl('uninstall', 'cursor')).err, /Taken out of/);
  assert.equal(readFileSync(CURSOR, 'utf8'), OTHERS);
  assert.match((await trawl('uninstall', 'cursor')).err, /has no server named trawl/);
});

test('a server of that name that is set up otherwise is only replaced by force', async () => {
  await trawl('install', 'cursor');
  const refused = await trawl('install', 'cursor', '--tools', 'map');
  assert.equal(refused.code, 2);
  assert.match(refused.err, /--force replaces it/);
  assert.equal(entryIn(CURSOR).env, undefined);
  assert.equal((await trawl('install', 'cursor', '--tools', 'map', '--force')).code, 0);
  assert.deepEqual(entryIn(CURSOR).env, { TRAWL_MCP_TOOLS: 'map' });
});

test('a key is written where only its owner reads it, and is not shown', async () => {
  const { out } = await trawl('install', 'cursor', '--key', 'fc-secret-of-the-harbour', '--url', 'https://trawl.test');
  assert.deepEqual(entryIn(CURSOR).env, { TRAWL_URL: 'https://trawl.test', TRAWL_API_KEY: 'fc-secret-of-the-harbour' });
  assert.ok(!out.includes('harbour'));
  assert.equal(statSync(CURSOR).mode & 0o777, 0o600);
});

test('a file and its folders are made for an assistant that has none; a dry run makes nothing', async () => {
  const file = join(home, 'apps/Code/User/mcp.json');
  assert.match((await trawl('install', 'vscode', '--dry-run')).err, /It would be written into/);
  assert.ok(!existsSync(file));
  await trawl('install', 'vscode');
  assert.equal(entryIn(file, 'servers').type, 'stdio');
});

test('settings that cannot be read as they are stay untouched, and the person is told what to do', async () => {
  for (const text of ['{ // mine\n}', '[]', '{"mcpServers": []}', '{"mcpServers":']) {
    writeFileSync(CURSOR, text);
    const { code, err } = await trawl('install', 'cursor');
    assert.equal(code, 2);
    assert.match(err, /Nothing was changed\. Add the server to Cursor by hand/);
    assert.equal(readFileSync(CURSOR, 'utf8'), text);
  }
  writeFileSync(CURSOR, '');
  assert.equal((await trawl('install', 'cursor')).code, 0);
});

test('without a name, the assistants are listed; unknown names of assistants and tools are refused', async () => {
  const { out } = await trawl('install');
  assert.match(out, /^cursor +Cursor +yes /m);
  assert.match(out, /^claude-code +Claude Code +no /m);
  assert.match((await trawl('install', 'clippy')).err, /not an assistant that can be set up\. Known are: claude-code,/);
  assert.match((await trawl('install', 'cursor', '--tools', 'teleport')).err, /No tool or group of tools is named/);
});

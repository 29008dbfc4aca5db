import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { Firecrawl } from 'firecrawl';
import { commandOf } from '../../../../scripts/console/command-of.ts';
import { toolOf } from '../../../../scripts/console/tool-of.ts';
import { COMMANDS } from '../../../../src/cli/commands/commands.ts';
import { findCommand } from '../../../../src/cli/find-command.ts';
import { commandFlags } from '../../../../src/cli/parse/command-flags.ts';
import { readArguments } from '../../../../src/cli/parse/read-arguments.ts';
import { TOOLS } from '../../../../src/mcp/tools/tools.ts';
import { OPERATION_INFO } from '../../../../web/console/playground/operations/operations.ts';
import { cliSnippet } from '../../../../web/console/playground/snippets/cli.ts';
import { curlSnippet } from '../../../../web/console/playground/snippets/curl.ts';
import { javascriptSnippet, jsLiteral } from '../../../../web/console/playground/snippets/javascript.ts';
import { mcpArguments, mcpConfig } from '../../../../web/console/playground/snippets/mcp.ts';
import { pythonLiteral, pythonSnippet } from '../../../../web/console/playground/snippets/python.ts';
import type { SnippetRequest } from '../../../../web/console/playground/snippets/snippet.ts';
import { shellWord } from '../../../../web/console/ui/text/shell-word.ts';
import { amount, runs, seedOr } from '../../../support/runs.ts';
import { bodyOf, hostileText } from './bodies.ts';
import { type OperationSchema, SCHEMAS } from './schemas.ts';

type Body = Record<string, unknown>;

const SEED = seedOr(20_261_117);
const run = promisify(execFile);
const KEY = 'fc-test-key';
const HAS_PYTHON = hasProgram('python3');
const HAS_CURL = hasProgram('curl');

const received: { body: string; key: string | undefined; type: string | undefined }[] = [];
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { authorization, 'content-type': type } = request.headers;
    received.push({ body: Buffer.concat(chunks).toString(), key: authorization, type });
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ success: true, data: {}, links: [] }));
  });
});
let baseUrl = '';
before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => server.close());

function hasProgram(name: string): boolean {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const requestOf = ({ operation, route }: OperationSchema, body: Body, fileName?: string): SnippetRequest => ({
  ...{ operation, body, fileName, baseUrl, path: route.path },
  main: OPERATION_INFO[operation].main,
});

/** Random bodies of an operation, always the same ones for a seed. */
const samples = ({ schema }: OperationSchema, most: number): Body[] =>
  fc.sample(bodyOf(schema), {
    seed: SEED,
    numRuns: amount({ short: Math.ceil(most / 4), full: most, long: most * 10 }),
  }) as Body[];

const sh = (script: string) =>
  run('sh', ['-c', script], { env: { PATH: process.env.PATH, TRAWL_API_KEY: KEY }, maxBuffer: 2 ** 24 });

test(`a shell passes every word on as it is (seed ${SEED})`, async () => {
  const words = fc.sample(hostileText, { seed: SEED, numRuns: runs(200, 2_000) });
  const { stdout } = await sh(`printf '%s\\0' ${words.map(shellWord).join(' ')}`);
  assert.deepEqual(stdout.split('\0').slice(0, -1), words);
});

for (const each of SCHEMAS) {
  const { operation } = each;
  test(`curl sends the body of ${operation} as it is (seed ${SEED})`, { skip: !HAS_CURL }, async () => {
    for (const body of samples(each, 4)) {
      received.length = 0;
      const name = '/dev/null';
      await sh(curlSnippet(requestOf(each, body, name)).text);
      const [sent] = received;
      assert.equal(sent!.key, `Bearer ${KEY}`);
      if (operation !== 'parse') assert.deepEqual(JSON.parse(sent!.body), body);
      else assert.deepEqual(await optionsOfForm(sent!.body, sent!.type!), body);
    }
  });

  test(`the command line reads the body of ${operation} out of its command (seed ${SEED})`, async () => {
    const command = await commandOf(OPERATION_INFO[operation].call);
    for (const body of samples(each, 40)) {
      const request = requestOf(each, body, 'a file.pdf');
      const { text, missing } = cliSnippet(request, command);
      const { stdout } = await sh(`trawl() { printf '%s\\0' "$@"; }; ${text}`);
      const typed = stdout.split('\0').slice(0, -1);
      const found = await findCommand(typed, COMMANDS);
      const parsed = readArguments(found.rest, await commandFlags(found.command));
      const { main } = request;
      const read = {
        ...parsed.body,
        ...(main !== undefined && body[main] !== undefined && { [main]: mainOf(main, parsed.args) }),
      };
      assert.deepEqual(withoutEmpty(read), withoutEmpty(without(body, missing)));
      if (operation === 'parse') assert.deepEqual(parsed.args, ['a file.pdf']);
    }
  });

  if (OPERATION_INFO[operation].isOwn) continue;

  test(`JavaScript calls the SDK with the body of ${operation} (seed ${SEED})`, async () => {
    for (const body of samples(each, 20)) {
      const calls = await evaluated(javascriptSnippet(requestOf(each, body, "it's.pdf")).text);
      assert.deepEqual(
        calls.map(({ method }) => method),
        [operation],
      );
      assert.deepEqual(asBody(calls[0]!.args, each, body), body);
    }
  });

  test(`Python is valid and has every argument of ${operation} or names it (seed ${SEED})`, {
    skip: !HAS_PYTHON,
  }, async () => {
    const texts = samples(each, 15).map((body) => ({ body, ...pythonSnippet(requestOf(each, body, "it's.pdf")) }));
    const read = JSON.parse(await python(READ_CALL, JSON.stringify(texts.map(({ text }) => text)))) as Body[];
    for (const [index, { body, missing }] of texts.entries()) {
      assert.deepEqual(withoutEmpty(read[index]!), withoutEmpty(snakeKeys(without(body, missing))));
    }
  });
}

test(`the MCP tools take the arguments that are written for them (seed ${SEED})`, () => {
  for (const each of SCHEMAS) {
    if (each.operation === 'browser') continue;
    const tool = TOOLS.find(({ name }) => name === `firecrawl_${each.operation}`)!;
    for (const body of samples(each, 30)) {
      const { args, missing } = mcpArguments(requestOf(each, body, 'a.pdf'), toolOf(tool.name));
      const { filePath: _, ...given } = args as Body;
      assert.deepEqual(withoutEmpty(given), withoutEmpty(without(body, missing)));
      for (const name of Object.keys(args)) assert.ok(name in tool.input.shape, `${tool.name} ${name}`);
    }
  }
  const ordinary = {
    url: 'https://example.com',
    formats: ['markdown', { type: 'json', prompt: 'x' }],
    headers: { a: 'b' },
  };
  const { args, missing } = mcpArguments(requestOf(SCHEMAS[0]!, ordinary), toolOf('firecrawl_scrape'));
  assert.deepEqual(missing, ['headers']);
  assert.ok(TOOLS.find(({ name }) => name === 'firecrawl_scrape')!.input.safeParse(args).success);
  assert.equal(JSON.parse(mcpConfig(baseUrl)).mcpServers.trawl.url, `${baseUrl}/mcp`);
});

test(`literals of JavaScript and Python mean the same as JSON (seed ${SEED})`, async (t) => {
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.dictionary(hostileText, hostileText, { noNullPrototype: true }),
  );
  const values = fc
    .sample(value, { seed: SEED, numRuns: runs(200, 2_000) })
    .map((each) => JSON.parse(JSON.stringify(each)));
  for (const each of values) assert.deepEqual(await fromJavascript(jsLiteral(each)), each);
  const dangerous = JSON.parse('{"__proto__": {"polluted": true}}');
  assert.deepEqual(await fromJavascript(jsLiteral(dangerous)), dangerous);
  if (!HAS_PYTHON) return t.skip('python3 is not installed');
  const read = await python(
    'import json, sys\nprint(json.dumps([eval(x) for x in json.load(sys.stdin)]))',
    JSON.stringify(values.map(pythonLiteral)),
  );
  assert.deepEqual(JSON.parse(read), values);
});

test('the real SDK sends the same scrape', async () => {
  received.length = 0;
  const body = {
    url: 'https://example.com/',
    formats: ['markdown', { type: 'question', question: `it's "this"` }],
    mobile: true,
  };
  const { text } = javascriptSnippet(requestOf(SCHEMAS[0]!, body));
  await evaluated(text, Firecrawl);
  const { origin: _, ...sent } = JSON.parse(received[0]!.body) as Body;
  assert.deepEqual(sent, body);
});

test('no snippet contains a key', () => {
  for (const write of [curlSnippet, javascriptSnippet, pythonSnippet]) {
    assert.match(write(requestOf(SCHEMAS[0]!, { url: 'https://example.com' })).text, /TRAWL_API_KEY/);
  }
  assert.match(mcpConfig(baseUrl), /YOUR_KEY/);
  assert.doesNotMatch(mcpConfig(baseUrl, true), /YOUR_KEY/);
});

test('commands look as a person would write them', async () => {
  const text = async (index: number, body: Body) => {
    const each = SCHEMAS[index]!;
    return cliSnippet(
      { ...requestOf(each, body), baseUrl: 'http://127.0.0.1:3002' },
      await commandOf(OPERATION_INFO[each.operation].call),
    ).text;
  };
  const url = 'https://example.com';
  assert.equal(
    await text(0, {
      url,
      formats: ['markdown', 'links'],
      onlyMainContent: false,
      location: { country: 'DE' },
      redactPII: { mode: 'fast' },
    }),
    `TRAWL_URL=http://127.0.0.1:3002 trawl scrape https://example.com --formats markdown,links --no-only-main-content --location.country DE '--redact-pii={"mode":"fast"}'`,
  );
  assert.equal(
    await text(3, { url, limit: 10, scrapeOptions: { formats: ['html'] } }),
    'TRAWL_URL=http://127.0.0.1:3002 trawl crawl https://example.com --limit 10 --formats html',
  );
  assert.equal(await text(8, { ttl: 60 }), 'TRAWL_URL=http://127.0.0.1:3002 trawl browser open --ttl 60');
});

async function optionsOfForm(body: string, type: string): Promise<unknown> {
  const form = await new Response(body, { headers: { 'content-type': type } }).formData();
  return JSON.parse((form.get('options') as string | null) ?? '{}');
}

const mainOf = (main: string, args: readonly string[]): unknown => (main === 'urls' ? args : args.join(' '));

/** Without the members at these paths. */
function without(body: Body, paths: readonly string[]): Body {
  const copy = structuredClone(body);
  for (const path of paths) {
    const names = path.split('.');
    const parent = names.slice(0, -1).reduce<Body>((value, name) => value[name] as Body, copy);
    delete parent[names.at(-1)!];
  }
  return copy;
}

/** Objects and lists with nothing in them say as much as their absence. */
function withoutEmpty(value: Body): Body {
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]): [string, unknown] => [name, isBody(member) ? withoutEmpty(member) : member])
      .filter(([, member]) => !(typeof member === 'object' && member !== null && Object.keys(member).length === 0)),
  );
}

const isBody = (value: unknown): value is Body => typeof value === 'object' && value !== null && !Array.isArray(value);

/** As arguments of Python are named, also inside the page options. */
const snakeKeys = (body: Body): Body =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name
        .replaceAll('URLs', 'Urls')
        .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
        .toLowerCase(),
      name === 'scrapeOptions' ? snakeKeys(value as Body) : value,
    ]),
  );

interface Call {
  method: string;
  args: unknown[];
}

/** Runs a snippet with a class in place of the SDK. */
async function evaluated(text: string, Sdk?: unknown): Promise<Call[]> {
  const calls: Call[] = [];
  class Recorder {
    constructor() {
      // biome-ignore lint/correctness/noConstructorReturn: any method is recorded.
      return new Proxy(this, {
        get: (_, method) =>
          method === 'then' ? undefined : (...args: unknown[]) => void calls.push({ method: String(method), args }),
      });
    }
  }
  const code = text.replaceAll(/^import .*$/gm, '').replace('console.log(answer);', '');
  const names = ['Firecrawl', 'readFile', 'process'];
  const AsyncFunction = (async () => {}).constructor as new (
    ...args: string[]
  ) => (...args: unknown[]) => Promise<void>;
  await new AsyncFunction(...names, code)(Sdk ?? Recorder, async (name: string) => name, {
    env: { TRAWL_API_KEY: KEY },
  });
  return calls;
}

function asBody(args: unknown[], { operation }: OperationSchema, body: Body): unknown {
  const { main } = OPERATION_INFO[operation];
  if (['extract', 'agent', 'browser'].includes(operation)) return args[0];
  if (operation === 'parse') {
    assert.deepEqual(args[0], { data: "it's.pdf", filename: "it's.pdf" });
    return args[1] ?? {};
  }
  return { ...(body[main!] !== undefined && { [main!]: args[0] }), ...((args[1] as Body | undefined) ?? {}) };
}

const fromJavascript = async (literal: string): Promise<unknown> => new Function(`return (${literal});`)();

/** Reads the call of a snippet with Python's own parser, without running it. */
const READ_CALL = `
import ast, json, sys
def value(node):
    if isinstance(node, ast.Call):
        return {each.arg: value(each.value) for each in node.keywords}
    return ast.literal_eval(node)
def read(text):
    call = [s.value for s in ast.parse(text).body if isinstance(s, ast.Assign)][1]
    found = {each.arg: value(each.value) for each in call.keywords}
    method = call.func.attr
    if method == "parse":
        assert value(call.args[0]) == "it's.pdf"
        return found.get("options", {})
    if call.args:
        found[{"scrape": "url", "crawl": "url", "map": "url", "search": "query", "extract": "urls"}[method]] = value(call.args[0])
    return found
print(json.dumps([read(text) for text in json.load(sys.stdin)]))
`;

async function python(code: string, input: string): Promise<string> {
  const child = run('python3', ['-c', code], {
    maxBuffer: 2 ** 26,
    env: { PATH: process.env.PATH, PYTHONIOENCODING: 'utf-8' },
  });
  child.child.stdin!.end(input);
  return (await child).stdout;
}

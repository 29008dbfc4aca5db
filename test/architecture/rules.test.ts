// Each rule of the house catches a violation that is planted in memory, and lets its nearest neighbour pass.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import * as consoleRules from './console-rules.ts';
import * as rules from './rules.ts';
import { parseSource } from './source.ts';
import * as wordRules from './word-rules.ts';

const ROOT = join(import.meta.dirname, '../..');

type Sources = Record<string, string>;
const run = (rule: rules.Rule, sources: Sources) =>
  rule(Object.entries(sources).map(([path, text]) => parseSource(path, text)));

function catches(name: string, rule: rules.Rule, { planted, allowed }: { planted: Sources[]; allowed: Sources[] }) {
  test(name, () => {
    for (const sources of planted) assert.notDeepEqual(run(rule, sources), [], Object.values(sources)[0]);
    for (const sources of allowed) assert.deepEqual(run(rule, sources), [], Object.values(sources)[0]);
  });
}

/** A file of src that imports another, in every way there is. */
const WAYS = (path: string) => [
  `import { x } from '${path}';`,
  `import '${path}';`,
  `import {\n  x,\n} from '${path}';`,
  `export { x } from '${path}';`,
  `export * from '${path}';`,
  `const x = async () => import('${path}');`,
];
const TYPE_WAYS = (path: string) => [
  `import type { X } from '${path}';`,
  `import { type X } from '${path}';`,
  `type X = import('${path}').X;`,
];
const withEach = (ways: string[], from: string, others: Sources): Sources[] =>
  ways.map((text) => ({ [from]: text, ...others }));

const ENGINE = { 'src/fetch/http-engine.ts': '' };
const EMPTY = { 'src/util/a.ts': '' };

describe('imports', () => {
  catches('a file that does not exist', rules.importsExist, {
    planted: [{ 'src/util/b.ts': "import { a } from './a.ts';" }],
    allowed: [{ 'src/util/b.ts': "import { a } from './a.ts';", ...EMPTY }],
  });
  catches('an import outwards, however it is written', rules.importsGoInwards, {
    planted: [
      ...withEach(WAYS('../operations/scrape.ts'), 'src/net/a.ts', { 'src/operations/scrape.ts': '' }),
      ...withEach(TYPE_WAYS('../operations/scrape.ts'), 'src/net/a.ts', { 'src/operations/scrape.ts': '' }),
      ...withEach(WAYS('../fetch/http-engine.ts'), 'src/crawl/a.ts', ENGINE),
      { 'src/strange/a.ts': "import '../util/a.ts';", ...EMPTY },
    ],
    allowed: [
      ...withEach(TYPE_WAYS('../fetch/http-engine.ts'), 'src/crawl/a.ts', ENGINE),
      ...withEach(WAYS('../util/a.ts'), 'src/crawl/a.ts', EMPTY),
    ],
  });
  catches('an adapter that is chosen outside of compose', rules.adaptersAreChosenInCompose, {
    planted: [
      ...withEach(WAYS('../fetch/http-engine.ts'), 'src/operations/a.ts', ENGINE),
      { 'src/main.ts': "import './store/sqlite/store.ts';", 'src/store/sqlite/store.ts': '' },
      { 'src/operations/a.ts': "import '../index/open-index.ts';", 'src/index/open-index.ts': '' },
      { 'src/operations/a.ts': "import '../media/create-media.ts';", 'src/media/create-media.ts': '' },
      { 'src/operations/a.ts': "import '../sessions/create-sessions.ts';", 'src/sessions/create-sessions.ts': '' },
      {
        'src/operations/a.ts': "import '../search/providers/adapters/brave.ts';",
        'src/search/providers/adapters/web/brave.ts': '',
      },
    ],
    allowed: [
      ...withEach(WAYS('../fetch/http-engine.ts'), 'src/compose/a.ts', ENGINE),
      ...withEach(TYPE_WAYS('../fetch/http-engine.ts'), 'src/operations/a.ts', ENGINE),
    ],
  });
  catches('a cycle, also of types', rules.noCycles, {
    planted: [
      { 'src/util/a.ts': "import './b.ts';", 'src/util/b.ts': "import './c.ts';", 'src/util/c.ts': "import './a.ts';" },
      { 'src/util/a.ts': "import type { B } from './b.ts';", 'src/util/b.ts': "import { a } from './a.ts';" },
      { 'src/util/a.ts': "const b = () => import('./b.ts');", 'src/util/b.ts': "import { a } from './a.ts';" },
    ],
    allowed: [
      {
        'src/util/a.ts': "import './b.ts'; import './c.ts';",
        'src/util/b.ts': "import './c.ts';",
        'src/util/c.ts': '',
      },
    ],
  });
  catches('a re-export', rules.noReexports, {
    planted: [{ 'src/util/b.ts': "export * from './a.ts';" }, { 'src/util/b.ts': "export { a } from './a.ts';" }],
    allowed: [{ 'src/util/b.ts': "import { a } from './a.ts';\nexport const b = a;" }],
  });
});

describe('shape', () => {
  const lines = (count: number) => `//\n${'1;\n'.repeat(count - 1)}`;
  catches('a long file', rules.filesAreShort, {
    planted: [{ 'src/util/a.ts': lines(301) }],
    allowed: [{ 'src/util/a.ts': lines(300) }],
  });
  catches('a file without a purpose', rules.filesSayTheirPurpose, {
    planted: [{ 'src/util/a.ts': 'export const a = 1;' }],
    allowed: [{ 'src/util/a.ts': '// What it is for.\nexport const a = 1;' }],
  });
  const folder = (name: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`src/${name}/file-${at}.ts`, '']));
  catches('a crowded folder', rules.foldersAreSmall, {
    planted: [folder('crawl/robots', 15)],
    allowed: [folder('crawl/robots', 14)],
  });
  catches('a face beside its folder', rules.facesAreInside, {
    planted: [{ 'src/crawl/robots.ts': '', 'src/crawl/robots/rules.ts': '' }],
    allowed: [{ 'src/crawl/robots/robots.ts': '', 'src/crawl/robots/rules.ts': '' }],
  });
  catches('a reader of the wall clock', rules.onlyClocksReadTheTime, {
    planted: [
      { 'src/jobs/lease.ts': 'export const due = () => Date.now() + 1;' },
      { 'src/jobs/lease.ts': 'export const today = () => new Date().getDay();' },
    ],
    allowed: [
      { 'src/runtime/service-clock.ts': 'export const now = Date.now;' },
      { 'src/jobs/lease.ts': 'export const text = (time: number) => new Date(time).toISOString();' },
    ],
  });
  catches('two exported types of one name', wordRules.typeNamesAreUnique, {
    planted: [
      { 'src/util/a.ts': 'export interface Span {}', 'src/text/a.ts': 'export type Span = 1;' },
      { 'src/util/a.ts': 'export class Span {}', 'src/text/a.ts': 'interface Span {}\nexport { type Span };' },
      { 'src/util/a.ts': 'export enum Span {}', 'src/text/a.ts': 'interface Range {}\nexport type { Range as Span };' },
    ],
    allowed: [
      { 'src/util/a.ts': 'export interface Span {}', 'src/text/a.ts': 'interface Span {}' },
      { 'src/util/a.ts': 'export interface Span {}', 'src/text/a.ts': 'export const Span = 1;' },
    ],
  });
  catches('a comment that begins with "Of"', wordRules.commentsDoNotBeginWithOf, {
    planted: [
      { 'src/util/a.ts': '// Of an upload: its name.\nexport const a = 1;' },
      { 'src/util/a.ts': '/** That of the browsers of sessions. */\nexport const a = 1;' },
      { 'src/util/a.ts': 'export interface A {\n  /**\n   * Those of the page.\n   */\n  a: 1;\n}' },
      { 'src/util/a.ts': 'export const a = 1; // of the page' },
    ],
    allowed: [
      { 'src/util/a.ts': '// File name\n// of an upload.\nexport const a = 1;' },
      { 'src/util/a.ts': '/**\n * File name\n * of an upload.\n */\nexport const a = 1;' },
      { 'src/util/a.ts': '/** Often a file name. */\nexport const a = 1;' },
    ],
  });
  catches('a variable of a module', rules.noModuleVariables, {
    planted: [
      { 'src/util/a.ts': 'let a = 1;' },
      { 'src/util/a.ts': 'export let a;' },
      { 'src/util/a.ts': 'var a = 1;' },
    ],
    allowed: [{ 'src/util/a.ts': 'const a = () => {\n  let b = 1;\n  return b;\n};' }],
  });
});

describe('who may do what', () => {
  catches('reading without verification', rules.certificatesAreVerifiedFirst, {
    planted: [
      { 'src/crawl/a.ts': 'egress.request({ url, verifyTls: false });' },
      { 'src/net/a.ts': 'connect({ rejectUnauthorized: false });' },
    ],
    allowed: [
      { 'src/net/connections/exchange.ts': 'transmit({ ...outgoing, verifyTls: false });' },
      { 'src/crawl/a.ts': 'egress.request({ url, verifyTls: !options.skipTlsVerification });' },
    ],
  });
  catches('making a viewer by hand', rules.onlyPageOwnerMakesViewers, {
    planted: [
      { 'src/operations/a.ts': "const viewer = ['', 'team'] as Viewer;" },
      { 'src/store/a.ts': 'const owner = teamId as PageOwner;' },
    ],
    allowed: [
      { 'src/page/page-owner.ts': "export const SHARED = '' as PageOwner;" },
      { 'src/operations/a.ts': 'const viewer: Viewer = sharing.viewerOf(team.id);' },
    ],
  });
  catches('reading the environment', rules.onlyConfigReadsTheEnvironment, {
    planted: [
      { 'src/net/a.ts': 'export const home = process.env.HOME;' },
      { 'src/net/a.ts': 'const { env } = { env: process.env };' },
    ],
    allowed: [{ 'src/config/a.ts': 'export const home = process.env.HOME;' }, { 'src/net/a.ts': '// process.env' }],
  });
  catches('printing', rules.onlyCliPrints, {
    planted: [{ 'src/net/a.ts': "console.log('a');" }, { 'src/net/a.ts': "process.stdout.write('a');" }],
    allowed: [{ 'src/cli/a.ts': "console.log('a');" }, { 'src/net/a.ts': "const text = 'console.log()';" }],
  });
  catches('opening a socket', rules.onlyNetTouchesSockets, {
    planted: [
      ...WAYS('node:net').map((text) => ({ 'src/crawl/a.ts': text })),
      ...WAYS('undici').map((text) => ({ 'src/crawl/a.ts': text })),
      { 'src/crawl/a.ts': "const a = await fetch('http://a.test');" },
      { 'src/crawl/a.ts': "globalThis.fetch('http://a.test');" },
      { 'src/crawl/a.ts': "new WebSocket('ws://a.test');" },
    ],
    allowed: [
      ...TYPE_WAYS('node:net').map((text) => ({ 'src/crawl/a.ts': text })),
      { 'src/net/a.ts': "import { connect } from 'node:net';" },
    ],
  });
  catches("importing Node's http, which loads far more", rules.nodeHttpIsNotImported, {
    planted: [
      ...WAYS('node:http').map((text) => ({ 'src/net/a.ts': text })),
      { 'src/crawl/a.ts': "const { connect } = process.getBuiltinModule('node:net');" },
    ],
    allowed: [
      ...TYPE_WAYS('node:http').map((text) => ({ 'src/net/a.ts': text })),
      { 'src/net/http/node-http.ts': "export const { request } = process.getBuiltinModule('node:http');" },
    ],
  });
  catches('throwing anything but a ServiceError', rules.onlyServiceErrorsAreThrown, {
    planted: [
      { 'src/net/a.ts': "throw new Error('a');" },
      { 'src/net/a.ts': "const a = () => {\n  throw new TypeError('a');\n};" },
    ],
    allowed: [
      { 'src/net/a.ts': "throw new ServiceError('NOT_FOUND');" },
      { 'src/net/a.ts': 'try {\n  a();\n} catch (error) {\n  throw error;\n}' },
    ],
  });
});

catches('threads load no validator', rules.threadsLoadNoValidator, {
  planted: withEach(WAYS('./b.ts'), 'src/store/a-thread.ts', { 'src/store/b.ts': "import { z } from 'zod';" }),
  allowed: [
    ...withEach(TYPE_WAYS('./b.ts'), 'src/store/a-thread.ts', { 'src/store/b.ts': "import { z } from 'zod';" }),
    ...withEach(WAYS('./b.ts'), 'src/store/a.ts', { 'src/store/b.ts': "import { z } from 'zod';" }),
  ],
});

catches('a suppressed complexity rule', rules.complexityIsNotSuppressed, {
  planted: [{ 'src/net/a.ts': '// biome-ignore lint/complexity/noExcessiveLinesPerFunction: too long\nconst a = 1;' }],
  allowed: [{ 'src/net/a.ts': '// biome-ignore lint/style/useConst: reason\nconst a = 1;' }],
});

const PAGE = 'web/console/jobs/jobs.tsx';
catches(
  'the console takes only types and pure code from the service',
  consoleRules.onlyTypesAndPureCodeComeFromTheService,
  {
    planted: withEach(WAYS('../../../src/contracts/job.ts'), PAGE, {}),
    allowed: [
      ...withEach(TYPE_WAYS('../../../src/contracts/job.ts'), PAGE, {}),
      { [PAGE]: "import { x } from '../../../src/util/x.ts';" },
    ],
  },
);
catches('pages of the console do not import each other', consoleRules.pagesDoNotImportEachOther, {
  planted: withEach(WAYS('../search/hit.tsx'), PAGE, {}),
  allowed: [
    { [PAGE]: "import { x } from './x.ts'; import { y } from '../ui/y.tsx';" },
    { 'web/console/app.tsx': "const x = () => import('./jobs/jobs.tsx');" },
  ],
});
catches('only the renderer of Markdown makes elements', consoleRules.onlyTheRendererMakesElements, {
  planted: [
    { [PAGE]: 'export const X = () => <div dangerouslySetInnerHTML={{ __html: text }} />;' },
    { [PAGE]: 'element.innerHTML = text;' },
  ],
  allowed: [
    { 'web/console/ui/text/markdown.tsx': 'element.innerHTML = text;' },
    { [PAGE]: 'element.textContent = text;' },
  ],
});
catches('frames with page content are sandboxed', consoleRules.framesOfContentAreSandboxed, {
  planted: [
    { [PAGE]: 'export const X = () => <iframe srcdoc={html} />;' },
    { [PAGE]: 'export const X = () => <iframe sandbox="allow-scripts" srcdoc={html} />;' },
  ],
  allowed: [{ [PAGE]: 'export const X = () => <iframe sandbox="" srcdoc={html} />;' }],
});
catches('only api connects', consoleRules.onlyApiConnects, {
  planted: [{ [PAGE]: "fetch('/v2/jobs');" }, { [PAGE]: 'new WebSocket(url);' }],
  allowed: [{ 'web/console/api/call.ts': "fetch('/v2/jobs');" }, { [PAGE]: "call('jobs');" }],
});

describe('the linter', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-lint-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const config = JSON.parse(readFileSync(join(ROOT, 'biome.json'), 'utf8')) as Record<string, unknown>;
  writeFileSync(join(folder, 'biome.json'), JSON.stringify({ ...config, vcs: undefined, $schema: undefined }));
  mkdirSync(join(folder, 'src'));

  /** What biome says about a file of src, by the project's own configuration. */
  const complaint = (text: string) => {
    writeFileSync(join(folder, 'src/planted.ts'), text);
    const biome = join(ROOT, 'node_modules/.bin/biome');
    const { stdout, stderr } = spawnSync(biome, ['lint', 'src'], { cwd: folder, encoding: 'utf8' });
    assert.match(stdout, /Checked 1 file/);
    return stdout + stderr;
  };

  test('catches a function of more than 80 lines', () => {
    const of = (lines: number) => `export function long(): void {\n${'  work();\n'.repeat(lines - 2)}}\n`;
    assert.match(complaint(of(84)), /noExcessiveLinesPerFunction/);
    assert.doesNotMatch(complaint(of(80)), /noExcessiveLinesPerFunction/);
  });

  test('catches a function that is too complex', () => {
    const nested = (depth: number): string =>
      depth === 0 ? 'work();' : `if (a > ${depth}) {\n${nested(depth - 1)}\n}`;
    const of = (depth: number) => `export function complex(a: number): void {\n${nested(depth)}\n}\n`;
    assert.match(complaint(of(7)), /noExcessiveCognitiveComplexity/);
    assert.doesNotMatch(complaint(of(6)), /noExcessiveCognitiveComplexity/);
  });
});

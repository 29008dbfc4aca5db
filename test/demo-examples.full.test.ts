// The examples of README.md and docs/use/start.md, run as they stand against the small web of the demo. An answer that is
// shown may leave out fields and items, and end a text with "…"; what it shows must be so.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { type DemoWeb, startWeb } from '../demo/web/web.ts';
import { ROOT } from './support/program.ts';
import { type RunningService, startService } from './support/service.ts';

interface Example {
  code: string;
  /** The answer that is shown below. */
  shown: string | undefined;
}

const run = promisify(execFile);
const BLOCK = /^```(sh|js)\n(.*?)^```\n(?:\n```json\n(.*?)^```)?/gms;
const SERVICE = 'http://127.0.0.1:3002';
const WEB = 'http://localhost:4400';

let folder: string;
let web: DemoWeb;
let service: RunningService;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-examples-'));
  web = await startWeb();
  service = await startService({ TRAWL_ALLOW_NETWORKS: web.host, TRAWL_BROWSER: 'auto' });
  // As after the tour: the journal has been read.
  await service.scrape({ url: `${web.url}/journal/splicing` });
});
after(async () => {
  await service?.stop();
  await web?.stop();
  await rm(folder, { recursive: true, force: true });
});

function examplesOf(page: string, language: 'sh' | 'js'): Example[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const blocks = [...text.matchAll(BLOCK)].filter(([, kind, code]) => kind === language && /curl|import/.test(code!));
  return blocks.map(([, , code, shown]) => ({ code: code!, shown }));
}

const here = (text: string): string => text.replaceAll(SERVICE, service.url).replaceAll(WEB, web.url);

async function answerTo(code: string): Promise<{ success: boolean; code?: string }> {
  const script = here(code).replace(/^export KEY=.*$/m, '');
  const { stdout } = await run('bash', ['-c', script], { cwd: folder, env: { ...process.env, KEY: service.key } });
  return JSON.parse(stdout);
}

/** Whether all that is shown is so. Returns the paths of what differs. */
function differences(shown: unknown, real: unknown, path = ''): string[] {
  if (typeof shown === 'string' && shown.endsWith('…')) {
    return String(real).startsWith(shown.slice(0, -1).trimEnd()) ? [] : [`${path}: ${JSON.stringify(real)}`];
  }
  if (typeof shown !== 'object' || shown === null) return shown === real ? [] : [`${path}: ${JSON.stringify(real)}`];
  const fields = (real ?? {}) as Record<string, unknown>;
  return Object.entries(shown).flatMap(([key, value]) => differences(value, fields[key], `${path}.${key}`));
}

for (const page of ['README.md', 'docs/use/start.md']) {
  test(`the requests of ${page} work, and answer as shown`, async (t) => {
    const examples = examplesOf(page, 'sh');
    assert.ok(examples.length >= 5, `only ${examples.length} examples were found`);
    for (const { code, shown } of examples) {
      const answer = await answerTo(code);
      if (/browser|actions/i.test(code) && answer.code === 'SCRAPE_ACTIONS_NOT_SUPPORTED') {
        t.diagnostic('This machine has no browser: one example was left out.');
        continue;
      }
      const wanted = shown === undefined ? { success: true } : JSON.parse(here(shown));
      assert.deepEqual(differences(wanted, answer), [], code);
    }
  });
}

test('the script of the README works with the public client', async () => {
  const [{ code }] = examplesOf('README.md', 'js') as [Example];
  const script = `${here(code)}\nconsole.log(JSON.stringify([markdown, data.length, web[0].url]));`;
  const env = { ...process.env, KEY: service.key };
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: ROOT, env });
  const [markdown, pages, first] = JSON.parse(stdout) as [string, number, string];
  assert.match(markdown, /^# How to splice a rope/);
  assert.equal(pages, web.paths.filter((path) => path.startsWith('/docs/')).length);
  assert.equal(first, `${web.url}/docs/http`);
});

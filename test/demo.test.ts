// `npm run demo`: the tour gives what it promises and leaves nothing behind, however it ends.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { showJson } from '../demo/show-json.ts';
import { PROGRAM_ENV, ROOT } from './support/program.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-demo-test-'));
});
after(() => rm(folder, { recursive: true, force: true }));

interface Demo {
  child: ChildProcess;
  output(): string;
  /** Waits until the output contains the text. */
  shows(text: string): Promise<void>;
  ended: Promise<number | null>;
}

/** The temporary folder of the demo is ours, so that we see what it leaves there. */
function startDemo(args: string[], settings: Record<string, string> = {}): Demo {
  const env = { ...PROGRAM_ENV, TMPDIR: folder, ...settings };
  const child = spawn(process.execPath, [join(ROOT, 'demo/run.ts'), ...args], { cwd: ROOT, env, stdio: 'pipe' });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = once(child, 'close').then(() => child.exitCode);
  return {
    child,
    output: () => output,
    async shows(text) {
      while (!output.includes(text)) {
        assert.equal(child.exitCode, null, output);
        await Promise.race([once(child.stdout, 'data'), ended]);
      }
    },
    ended,
  };
}

function assertNothingIsLeft(): void {
  assert.deepEqual(readdirSync(folder), []);
  assert.deepEqual(processesWith(folder), []);
}

/** Ids of processes that have the text in their environment, as all descendants of the demo do (Linux). */
function processesWith(text: string): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/environ`, 'latin1').includes(text);
    } catch {
      return false;
    }
  });
}

test('the whole tour passes its checks, prints no colours into a pipe and nothing wide, and leaves nothing', async () => {
  const demo = startDemo([]);
  assert.equal(await demo.ended, 0, demo.output());
  const output = demo.output();
  assert.match(output, /✓ \d+ checks passed, 0 failed/);
  for (const path of ['scrape', 'parse', 'map', 'crawl', 'search']) {
    assert.match(output, new RegExp(`\\$ curl -s http://127\\.0\\.0\\.1:\\d+/v2/${path} `));
  }
  assert.match(output, /pages of the log +62\n.*\n +in the result +62\n +in the result twice +0/);
  assert.ok(!output.includes('\x1b'));
  const wide = output
    .split('\n')
    .filter((line) => line.length > 100 && !line.includes('/files/') && !line.includes(folder));
  assert.deepEqual(wide, []);
  assertNothingIsLeft();
});

test('Ctrl-C in the middle ends everything', async () => {
  const demo = startDemo(['kill']);
  await demo.shows('$ kill -9');
  demo.child.kill('SIGINT');
  assert.equal(await demo.ended, 130, demo.output());
  assertNothingIsLeft();
});

test('a step without a browser says so and is left out; with --stay all keeps running until Ctrl-C', async () => {
  const demo = startDemo(['browser', '--stay'], { TRAWL_BROWSER: 'off' });
  await demo.shows('its manual');
  assert.match(demo.output(), /This machine has no Chromium/);
  assert.match(demo.output(), /0 failed, 1 left out/);
  const [, web] = /the small web +(http:\S+)/.exec(demo.output())!;
  assert.match(await (await fetch(web!)).text(), /Saltmarsh Chandlery/);
  const [, service] = /the service +(http:\S+)/.exec(demo.output())!;
  const [, key] = /export KEY=(\S+)/.exec(demo.output())!;
  const usage = await fetch(`${service}/v2/team/credit-usage`, { headers: { authorization: `Bearer ${key}` } });
  assert.equal(usage.status, 200);
  demo.child.kill('SIGINT');
  assert.equal(await demo.ended, 0, demo.output());
  assertNothingIsLeft();
});

test('a step that fails makes the demo fail, with a sentence', async () => {
  const demo = startDemo(['map', '--pause']);
  await demo.shows('Press Enter');
  for (const id of processesWith(folder)) {
    if (Number(id) !== demo.child.pid) process.kill(Number(id), 'SIGKILL');
  }
  demo.child.stdin!.write('\n');
  assert.equal(await demo.ended, 1, demo.output());
  assert.match(demo.output(), /✗ The step has failed: fetch failed/);
  assert.match(demo.output(), /0 checks passed, 1 failed/);
  assertNothingIsLeft();
});

test('a step that does not exist is answered with those that do', async () => {
  const demo = startDemo(['dance']);
  assert.equal(await demo.ended, 1);
  assert.match(demo.output(), /There is no step "dance"\.\n\nnpm run demo -- .*scrape, parse, map/s);
});

test('answers are shown in short, and what is left out is marked', () => {
  const shown = showJson(
    { list: [1, 2, 3], long: 'x'.repeat(99), text: 'a\nb', metadata: { title: 't', url: 'u' } },
    30,
  );
  assert.deepEqual(shown, [
    '{',
    '  "list": [',
    '    1,',
    '    2',
    '    … 1 more',
    '  ],',
    '  "long": "xxxxxxxxxxxxxxx …",',
    '  "text":',
    '    │ a',
    '    │ b',
    '  "metadata": {',
    '    "title": "t"',
    '    … 1 more field',
    '  }',
    '}',
  ]);
});

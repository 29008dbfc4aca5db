// `npm run demo`: a step gives what it promises and leaves nothing behind. The whole tour is in demo.full.test.ts.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { showJson } from '../demo/show-json.ts';
import { assertNothingIsLeft, startDemo } from './support/run-demo.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-demo-test-'));
});
after(() => rm(folder, { recursive: true, force: true }));

test('a step without a browser says so and is left out; with --stay all keeps running until Ctrl-C', async () => {
  const demo = startDemo(folder, ['browser', '--stay'], { TRAWL_BROWSER: 'off' });
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
  assertNothingIsLeft(folder);
});

test('a step that does not exist is answered with those that do', async () => {
  const demo = startDemo(folder, ['dance']);
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

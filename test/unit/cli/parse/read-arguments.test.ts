// What was typed becomes a body, arguments and flags; what cannot be meant is one sentence.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { CommandBody } from '../../../../src/cli/command.ts';
import { commandFlags } from '../../../../src/cli/parse/command-flags.ts';
import { leadingFlags } from '../../../../src/cli/parse/leading-flags.ts';
import { readArguments } from '../../../../src/cli/parse/read-arguments.ts';
import { UsageError } from '../../../../src/cli/usage-error.ts';
import { temporaryFolder } from '../../store/temporary-folder.ts';

const SCRAPE: CommandBody = {
  call: 'scrape',
  without: ['url'],
  flags: { output: { type: 'string', short: 'o', text: '' } },
};
const SEARCH: CommandBody = { call: 'search', without: ['query'], lifted: ['scrapeOptions'] };

const scrapeFlags = await commandFlags(SCRAPE);
const read = (...typed: string[]) => readArguments(typed, scrapeFlags);
const bodyOf = (...typed: string[]) => read(...typed).body;

test('flags of the contract become the body, in their types', () => {
  const typed = ['--formats', 'markdown,links', '--no-only-main-content', '--mobile', '--wait-for', '500'];
  assert.deepEqual(bodyOf(...typed, '--proxy=basic', '--include-tags', 'main, article'), {
    formats: ['markdown', 'links'],
    onlyMainContent: false,
    mobile: true,
    waitFor: 500,
    proxy: 'basic',
    includeTags: ['main', 'article'],
  });
});

test('only what was typed is in the body', () => assert.deepEqual(bodyOf(), {}));

test('a list can be repeated, be JSON, and contain objects and commas in brackets', () => {
  assert.deepEqual(bodyOf('--exclude-tags', 'nav', '--exclude-tags', ':is(a,b),p[x="1,2"]'), {
    excludeTags: ['nav', ':is(a,b)', 'p[x="1,2"]'],
  });
  const json = '{"type":"json","prompt":"prices, with tax"}';
  assert.deepEqual(bodyOf('--formats', 'markdown', '--formats', json), { formats: ['markdown', JSON.parse(json)] });
  assert.deepEqual(bodyOf('--exclude-tags', '["a,b","c"]'), { excludeTags: ['a,b', 'c'] });
  assert.deepEqual(bodyOf('--exclude-tags', '[data-ad],nav'), { excludeTags: ['[data-ad]', 'nav'] });
});

test('objects are JSON, a file, or dotted flags', async (t) => {
  const file = join(await temporaryFolder(t), 'location.json');
  writeFileSync(file, '{"country":"DE"}');
  for (const typed of [
    ['--location', '{"country":"DE"}'],
    ['--location', `@${file}`],
    ['--location.country', 'DE'],
  ]) {
    assert.deepEqual(bodyOf(...typed), { location: { country: 'DE' } }, typed.join(' '));
  }
  assert.deepEqual(bodyOf('--location', '{"country":"AT"}', '--location.languages', 'de,en'), {
    location: { country: 'AT', languages: ['de', 'en'] },
  });
});

test('what may be a switch or an object is both', () => {
  assert.deepEqual(bodyOf('--redact-pii'), { redactPII: true });
  assert.deepEqual(bodyOf('--no-redact-pii'), { redactPII: false });
  assert.deepEqual(bodyOf('--redact-pii={"mode":"fast"}'), { redactPII: { mode: 'fast' } });
});

test('arguments, flags of the command and general flags are told apart', () => {
  const { args, flags, body } = read('https://a.example', '-qo', 'x.md', '-', '--json', '--', '--mobile');
  assert.deepEqual(args, ['https://a.example', '-', '--mobile']);
  assert.deepEqual([flags.quiet, flags.output, flags.json, body], [true, 'x.md', true, {}]);
});

test('lifted fields lose their prefix, unless the call has such a field itself', async () => {
  const flags = await commandFlags(SEARCH);
  const typed = ['--formats', 'markdown', '--timeout', '9000', '--scrape-options.timeout', '5000', '--wait-for', '10'];
  assert.deepEqual(readArguments(typed, flags).body, {
    timeout: 9_000,
    scrapeOptions: { formats: ['markdown'], timeout: 5_000, waitFor: 10 },
  });
});

test('mistakes are one sentence, with a suggestion where there is one', () => {
  const cases: [string[], RegExp][] = [
    [['--onlyMainContent'], /^There is no flag --onlyMainContent\. Did you mean --only-main-content\?$/],
    [['--format', 'markdown'], /Did you mean --formats\?$/],
    [['--no-block-adds'], /There is no flag --no-block-adds\. Did you mean --block-ads\?$/],
    [['--zzzzzzzz'], /^There is no flag --zzzzzzzz\. See --help --all for every flag\.$/],
    [['-x'], /^There is no flag -x\./],
    [['--wait-for', 'long'], /^--wait-for takes a number, not 'long'\.$/],
    [['--wait-for', ''], /takes a number/],
    [['--wait-for'], /^--wait-for needs a value\.$/],
    [['--wait-for', '--json'], /^--wait-for needs a value\.$/],
    [['--mobile=yes'], /^--mobile takes no value/],
    [['--proxy', 'basik'], /^--proxy does not take 'basik'\. Did you mean basic\?$/],
    [['--proxy', 'xxxxxxxxx'], /It takes: basic, enhanced, stealth, auto\.$/],
    [['--location', '{country'], /^--location is not valid JSON .*@FILE/],
    [['--location', '@/nowhere/x.json'], /^--location: the file \/nowhere\/x\.json cannot be read \(ENOENT\)\.$/],
    [['--__proto__', '1'], /^There is no flag --__proto__/],
    [[`--${'x'.repeat(100_000)}`], /^There is no flag/],
  ];
  for (const [typed, expected] of cases) {
    assert.throws(
      () => read(...typed),
      (error: Error) => error instanceof UsageError && expected.test(error.message) && !error.message.includes('\n'),
      typed.join(' ').slice(0, 80),
    );
  }
});

test('general flags may stand before the command; without one the service is run', () => {
  const cases: [string, string][] = [
    ['', 'serve'],
    ['--json scrape URL', 'scrape URL --json'],
    ['--url http://x keys list', 'keys list --url http://x'],
    ['-q scrape -- -x', 'scrape -q -- -x'],
    ['--help', 'help'],
    ['-h', 'help'],
    ['--version', 'version'],
    ['--quiet', 'serve --quiet'],
  ];
  for (const [typed, expected] of cases) {
    assert.equal(leadingFlags(typed.split(' ').filter(Boolean)).join(' '), expected, typed);
  }
});

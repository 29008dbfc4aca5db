// Failures are one sentence in the words of the command line, with an exit code for each kind.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureOf, withFlagNames } from '../../../src/cli/failure.ts';
import type { LocalTools } from '../../../src/cli/local-tools.ts';
import { commandFlags } from '../../../src/cli/parse/command-flags.ts';
import { UsageError } from '../../../src/cli/usage-error.ts';
import { ApiError } from '../../../src/client/api-error.ts';

const local = (isDebug = false) => ({ client: { isDebug }, explain: () => undefined }) as unknown as LocalTools;
const refusal = (status: number, code: string) =>
  new ApiError('It was refused.', { status, code, retryAfter: undefined, body: undefined });

test('fields of the interface are named as flags', async () => {
  const flags = await commandFlags({ call: 'search', lifted: ['scrapeOptions'], without: ['query'] });
  const cases: [string, string][] = [
    ['`limit` must be at most 100.', '--limit must be at most 100.'],
    ['`includeDomains.0` must be a string.', '--include-domains must be a string.'],
    ['`scrapeOptions.parsers.0.maxPages` is wrong.', '`scrapeOptions.parsers.0.maxPages` is wrong.'],
    ['`scrapeOptions.waitFor` is wrong.', '--wait-for is wrong.'],
    ['`scrapeOptions.timeout` is wrong.', '--scrape-options.timeout is wrong.'],
    ['`query` and `unknown` stay.', '`query` and `unknown` stay.'],
  ];
  for (const [message, expected] of cases) assert.equal(withFlagNames(message, flags), expected);
});

test('each kind of failure has its exit code', () => {
  const codes = [
    new UsageError('x'),
    refusal(400, 'BAD_REQUEST'),
    refusal(0, 'UNREACHABLE'),
    refusal(401, 'UNAUTHORIZED'),
    new TypeError('x is not a function'),
  ].map((error) => failureOf(error, local()).exitCode);
  assert.deepEqual(codes, [2, 1, 3, 3, 1]);
});

test('an unexpected error shows its stack only if asked', () => {
  const error = new TypeError('x is not a function');
  assert.equal(failureOf(error, local()).sentence, 'x is not a function (TRAWL_LOG_LEVEL=debug shows where.)');
  assert.match(failureOf(error, local(true)).sentence, /failure\.test\.ts/);
});

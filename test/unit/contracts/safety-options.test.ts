import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentRequest } from '../../../src/contracts/agent/agent.ts';
import { createBrowserRequest } from '../../../src/contracts/browser/browser.ts';
import { crawlRequest } from '../../../src/contracts/crawl/crawl.ts';
import { mapRequest } from '../../../src/contracts/crawl/map.ts';
import { createMonitorRequest } from '../../../src/contracts/monitor/monitor.ts';
import { parseRequest } from '../../../src/contracts/scrape/parse.ts';
import { scrapeRequest } from '../../../src/contracts/scrape/scrape.ts';
import { check } from '../../../src/contracts/validate/validate.ts';

const url = 'https://example.com';
const monitor = {
  name: 'x',
  schedule: { cron: '0 * * * *' },
  targets: [{ type: 'scrape', urls: [url] }],
};

test('a call refuses a protection that it does not have', () => {
  const cases = [
    [mapRequest, { url, skipTlsVerification: false }, 'skipTlsVerification'],
    [mapRequest, { url, skipTlsVerification: 'false' }, 'skipTlsVerification'],
    [mapRequest, { url, lockdown: true }, 'lockdown'],
    [crawlRequest, { url, redactPII: true }, 'redactPII'],
    [agentRequest, { prompt: 'x', safeMode: true }, 'safeMode'],
    [parseRequest, { lockdown: true }, 'lockdown'],
    [createBrowserRequest, { zeroDataRetention: true }, 'zeroDataRetention'],
    [createMonitorRequest, { ...monitor, threatProtection: { mode: 'normal' } }, 'threatProtection'],
  ] as const;
  for (const [schema, body, name] of cases) {
    const checked = check(schema, body);
    assert.ok('problem' in checked, name);
    assert.match(checked.problem, new RegExp(`^\`${name}\` is not an option of this call`));
    assert.deepEqual(checked.details[0]!.path, [name]);
  }
});

test('where the option belongs is said, if there is such a place', () => {
  const checked = check(crawlRequest, { url, skipTlsVerification: false });
  assert.ok('problem' in checked && checked.problem.endsWith('Set it in `scrapeOptions`.'));
  assert.ok('data' in check(crawlRequest, { url, scrapeOptions: { skipTlsVerification: false } }));
});

test('what asks for no protection, and what a call knows, is accepted', () => {
  assert.ok('data' in check(mapRequest, { url, skipTlsVerification: true, lockdown: false, redactPII: null }));
  assert.ok('data' in check(scrapeRequest, { url, skipTlsVerification: false, lockdown: true, safeMode: true }));
  assert.ok('data' in check(mapRequest, { url, unheardOf: true }));
});

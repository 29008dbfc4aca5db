// Settings: defaults, bad values in one sentence, and secrets that are never printed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { helpText } from '../../../src/cli/help.ts';
import { ConfigError, readConfig, SETTINGS } from '../../../src/config.ts';

test('without settings the service is local and closed', () => {
  const config = readConfig({});
  assert.deepEqual(
    [config.host, config.port, config.auth, config.maxPageBytes, config.teamFeatures],
    ['127.0.0.1', 3002, 'required', 52_428_800, ['zdr', 'anon']],
  );
});

test('an empty variable counts as unset', () => assert.equal(readConfig({ TRAWL_PORT: ' ' }).port, 3002));

test('each bad value is named in one sentence', () => {
  const bad: Record<string, string> = {
    TRAWL_PORT: '99999',
    TRAWL_AUTH: 'maybe',
    TRAWL_PUBLIC_URL: 'ftp://x',
    TRAWL_PROXY: 'nonsense:',
    TRAWL_PROXY_ENHANCED: 'socks5://x',
    TRAWL_DNS: 'dns.example',
    TRAWL_ALLOW_NETWORKS: '10.0.0.0/99',
    TRAWL_TEAM_FEATURES: 'everything',
    TRAWL_LOG_LEVEL: 'loud',
    TRAWL_MAX_REQUEST_MB: '-1',
    TRAWL_MAX_PAGE_MB: 'much',
    TRAWL_TRANSFORM_WORKERS: '0',
    TRAWL_API_KEY: 'short',
  };
  for (const [name, value] of Object.entries(bad)) {
    assert.throws(
      () => readConfig({ [name]: value }),
      (error: Error) => error instanceof ConfigError && error.message.startsWith(name) && !error.message.includes('\n'),
      name,
    );
  }
});

test('a secret does not appear in the message about it', () => {
  assert.throws(
    () => readConfig({ TRAWL_PROXY: 'ftp://user:hunter2@proxy' }),
    (error: Error) => !error.message.includes('hunter2'),
  );
});

test('listening to others without asking for keys is refused', () => {
  assert.throws(() => readConfig({ TRAWL_HOST: '0.0.0.0', TRAWL_AUTH: 'off' }), /TRAWL_HOST/);
  assert.equal(readConfig({ TRAWL_HOST: 'localhost', TRAWL_AUTH: 'off' }).host, '127.0.0.1');
});

test('the help names every setting', () => {
  const help = helpText(Object.values(SETTINGS));
  for (const { env } of Object.values(SETTINGS)) assert.ok(help.includes(env), env);
});

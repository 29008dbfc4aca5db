// Settings: defaults, one sentence per bad value, and secrets that are never printed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsHelp } from '../../../src/cli/help/settings-help.ts';
import { ConfigError, readConfig, SETTINGS } from '../../../src/config/settings.ts';

test('by default the service is local and closed', () => {
  const config = readConfig({});
  assert.deepEqual(
    [config.host, config.port, config.auth, config.maxPageBytes, config.teamFeatures],
    ['127.0.0.1', 3002, 'required', 52_428_800, ['zdr', 'anon']],
  );
});

test('an empty variable counts as unset', () => assert.equal(readConfig({ TRAWL_PORT: ' ' }).port, 3002));

test('each bad value is reported in one sentence', () => {
  const bad: Record<string, string> = {
    TRAWL_PORT: '99999',
    TRAWL_AUTH: 'maybe',
    TRAWL_PUBLIC_URL: 'ftp://x',
    TRAWL_PROXY: 'nonsense:',
    TRAWL_PROXY_ENHANCED: 'socks5://x',
    TRAWL_DNS: 'dns.example',
    TRAWL_ALLOW_NETWORKS: '10.0.0.0/99',
    TRAWL_TEAM_FEATURES: 'everything',
    TRAWL_DIALECTS: 'searxng,esperanto',
    TRAWL_PATH_KEYS: 'maybe',
    TRAWL_LOG_LEVEL: 'loud',
    TRAWL_MAX_REQUEST_MB: '-1',
    TRAWL_MAX_PAGE_MB: 'much',
    TRAWL_TRANSFORM_WORKERS: '0',
    TRAWL_API_KEY: 'short',
    TRAWL_SEARCH_PROVIDERS: 'brave,bing',
    TRAWL_KEYLESS_PROVIDERS: 'some',
    TRAWL_SEARXNG_URL: 'searx.lan',
    TRAWL_V2_URL: 'http://trawl.lan/?x=1',
    TRAWL_GOOGLE_API_KEY: 'without a cx',
    TRAWL_MODEL: 'gpt-5',
    TRAWL_MODEL_EXTRACT: 'mistral:large',
    TRAWL_MODEL_ANSWER: 'openai:',
    TRAWL_MODEL_URL: 'localhost:11434',
    TRAWL_MODEL_JUDGE_URL: 'ftp://x/',
    TRAWL_MODEL_CONTEXT_TOKENS: 'many',
    TRAWL_MODEL_OUTPUT_TOKENS: '1',
    TRAWL_MODEL_CONCURRENCY: '0',
    TRAWL_MODEL_TOKENS_PER_DAY: '-1',
    TRAWL_MODEL_CREDITS_PER_1000_TOKENS: 'cheap',
    TRAWL_MODEL_ZDR: 'yes',
    TRAWL_MODEL_PROXY: 'socks5://x',
  };
  for (const [name, value] of Object.entries(bad)) {
    assert.throws(
      () => readConfig({ [name]: value }),
      (error: Error) => error instanceof ConfigError && error.message.startsWith(name) && !error.message.includes('\n'),
      name,
    );
  }
});

test('a trusted proxy is an address or a network', () => {
  const { trustedProxies } = readConfig({ TRAWL_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8,fd00::/8 , [::1]' });
  for (const address of ['127.0.0.1', '10.9.9.9', '::ffff:10.9.9.9', 'fd12::1', '::1'])
    assert.ok(trustedProxies(address));
  for (const address of ['127.0.0.2', '11.0.0.1', '::2', '', 'localhost']) assert.ok(!trustedProxies(address), address);
  assert.ok(!readConfig({}).trustedProxies('127.0.0.1'));
  for (const wrong of [
    'localhost',
    '10.0.0.0/33',
    '10.0.0/8',
    '*',
    '127.0.0.1:80',
    '10.0.0.1-10.0.0.9',
    '0x7f000001',
  ]) {
    assert.throws(
      () => readConfig({ TRAWL_TRUSTED_PROXIES: wrong }),
      /^Error: TRAWL_TRUSTED_PROXIES=.* is not a/,
      wrong,
    );
  }
});

test('an error about a secret does not contain it', () => {
  assert.throws(
    () => readConfig({ TRAWL_PROXY: 'ftp://user:hunter2@proxy' }),
    (error: Error) => !error.message.includes('hunter2'),
  );
});

test('listening on other addresses without authentication is refused', () => {
  assert.throws(() => readConfig({ TRAWL_HOST: '0.0.0.0', TRAWL_AUTH: 'off' }), /TRAWL_HOST/);
  assert.equal(readConfig({ TRAWL_HOST: 'localhost', TRAWL_AUTH: 'off' }).host, '127.0.0.1');
});

test('the help lists every setting', () => {
  const help = settingsHelp(Object.values(SETTINGS));
  for (const { env } of Object.values(SETTINGS)) assert.ok(help.includes(env), env);
});

test('search providers: order, keys and addresses are combined, and none is used by default', () => {
  assert.deepEqual(readConfig({}).searchProviders, { order: undefined, keyless: true, access: {} });
  const { searchProviders } = readConfig({
    TRAWL_SEARCH_PROVIDERS: ' Google, index ,searxng,google',
    TRAWL_KEYLESS_PROVIDERS: 'off',
    TRAWL_GOOGLE_API_KEY: 'one, two,',
    TRAWL_GOOGLE_CX: 'engine',
    TRAWL_SEARXNG_URL: 'http://me:secret@10.0.0.7:8080/searx/',
  });
  assert.deepEqual(searchProviders, {
    order: ['google', 'index', 'searxng'],
    keyless: false,
    access: {
      google: { keys: ['one', 'two'], engine: 'engine' },
      searxng: { keys: [], url: 'http://me:secret@10.0.0.7:8080/searx' },
    },
  });
});

test('a provider without its required settings is refused, and an unknown one is answered with the known names', () => {
  assert.throws(() => readConfig({ TRAWL_SEARCH_PROVIDERS: 'index,brave' }), /brave.*TRAWL_BRAVE_API_KEY/);
  assert.throws(() => readConfig({ TRAWL_SEARCH_PROVIDERS: 'v2', TRAWL_V2_API_KEY: 'k' }), /v2.*TRAWL_V2_URL/);
  assert.throws(() => readConfig({ TRAWL_SEARCH_PROVIDERS: 'bing' }), /"bing".*index, searxng.*duckduckgo/);
});

test('messages contain neither keys nor addresses of providers', () => {
  const bad = [{ TRAWL_SEARXNG_URL: 'ftp://me:hunter2@x' }, { TRAWL_GOOGLE_API_KEY: 'hunter2' }];
  for (const env of bad)
    assert.throws(
      () => readConfig(env),
      (error: Error) => !error.message.includes('hunter2'),
    );
});

test('a model is named with its provider, and has the address and key that were set for it', () => {
  const { choices } = readConfig({ TRAWL_MODEL: 'ollama:qwen3:8b', TRAWL_MODEL_KEY: 'common' }).models;
  assert.deepEqual(choices.extract, {
    ...{ provider: 'ollama', model: 'qwen3:8b', name: 'ollama:qwen3:8b', url: 'http://127.0.0.1:11434/v1' },
    ...{ key: 'common', contextTokens: 4_096, maxOutputTokens: 2_048 },
  });
  assert.deepEqual(readConfig({}).models.choices, {});
});

test('a purpose may have another model or none, and no key goes to another provider', () => {
  const { choices } = readConfig({
    TRAWL_MODEL: 'openai:gpt-5-mini',
    TRAWL_MODEL_KEY: 'openai-key',
    TRAWL_MODEL_EXTRACT: 'openai:gpt-5',
    TRAWL_MODEL_ANSWER: 'anthropic:claude',
    TRAWL_MODEL_ANSWER_KEY: 'anthropic-key',
    TRAWL_MODEL_CLEAN: 'off',
    TRAWL_MODEL_JUDGE: 'ollama:qwen3:8b',
    TRAWL_MODEL_AGENT_URL: 'http://10.0.0.5/v1',
  }).models;
  assert.deepEqual(
    Object.entries(choices).map(([purpose, { name, key }]) => [purpose, name, key]),
    [
      ['extract', 'openai:gpt-5', 'openai-key'],
      ['answer', 'anthropic:claude', 'anthropic-key'],
      ['agent', 'openai:gpt-5-mini', undefined],
      ['judge', 'ollama:qwen3:8b', undefined],
    ],
  );
});

test('what a model lacks is said in one sentence', () => {
  const problem = (env: Record<string, string>) => {
    try {
      readConfig(env);
    } catch (error) {
      return (error as Error).message;
    }
    return undefined;
  };
  assert.equal(
    problem({ TRAWL_MODEL: 'openai:gpt-5' }),
    'TRAWL_MODEL names openai, which needs TRAWL_MODEL_KEY. Set it.',
  );
  assert.equal(
    problem({ TRAWL_MODEL: 'compatible:x' }),
    'TRAWL_MODEL names compatible, which needs TRAWL_MODEL_URL. Set it.',
  );
  assert.equal(
    problem({ TRAWL_MODEL: 'ollama:x', TRAWL_MODEL_EXTRACT: 'google:gemini' }),
    'TRAWL_MODEL_EXTRACT names google, which needs TRAWL_MODEL_EXTRACT_KEY. Set it.',
  );
  assert.equal(problem({ TRAWL_MODEL: 'openai:x', TRAWL_MODEL_URL: 'http://127.0.0.1:9/v1' }), undefined);
});

test('a secret is a long text, or the bytes of the secret of a data folder as they are', () => {
  const bytes = 'ab'.repeat(32);
  assert.deepEqual(readConfig({ TRAWL_SECRET: `hex:${bytes}` }).secret, new Uint8Array(Buffer.from(bytes, 'hex')));
  assert.equal(readConfig({ TRAWL_SECRET: 'a text of thirty-two letters and more' }).secret?.byteLength, 32);
  assert.throws(() => readConfig({ TRAWL_SECRET: 'too short' }), ConfigError);
});

test('a role of its own needs a database that the others share', () => {
  assert.throws(() => readConfig({ TRAWL_ROLE: 'worker' }), {
    message:
      'TRAWL_ROLE=worker needs TRAWL_DATABASE_URL, which the processes of all roles share. Set it, or leave the role as it is.',
  });
  const shared = { TRAWL_DATABASE_URL: 'postgres://db.test/trawl', TRAWL_SECRET: 's'.repeat(32) };
  assert.equal(readConfig({ ...shared, TRAWL_ROLE: 'worker' }).role, 'worker');
});

// Which service a command talks to, and with which key.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readClientSettings } from '../../../src/config/client.ts';

const targetOf = (env: NodeJS.ProcessEnv) => {
  const { url, key } = readClientSettings(env);
  return [url, key];
};

test('the variables of the public clients are used if there are no others', () => {
  const ours = { TRAWL_URL: 'http://ours', TRAWL_API_KEY: 'ours' };
  const theirs = { FIRECRAWL_API_URL: 'http://theirs', FIRECRAWL_API_KEY: 'theirs' };
  assert.deepEqual(targetOf({ ...ours, ...theirs }), ['http://ours', 'ours']);
  assert.deepEqual(targetOf(theirs), ['http://theirs', 'theirs']);
  assert.deepEqual(targetOf({ ...theirs, TRAWL_URL: ' ' }), ['http://theirs', 'theirs']);
});

test('a key is never sent to an address that was set for another key', () => {
  assert.deepEqual(targetOf({ FIRECRAWL_API_KEY: 'theirs' }), [undefined, undefined]);
  assert.deepEqual(targetOf({ TRAWL_URL: 'http://ours', FIRECRAWL_API_KEY: 'theirs' }), ['http://ours', undefined]);
  assert.deepEqual(targetOf({ FIRECRAWL_API_URL: 'http://theirs', TRAWL_API_KEY: 'ours' }), [
    'http://theirs',
    undefined,
  ]);
  assert.deepEqual(targetOf({ TRAWL_API_KEY: 'ours' }), [undefined, 'ours']);
});

test('a user without a home folder has no folder for keys, and a relative one is ignored', () => {
  const noHome = () => {
    throw new Error('ENOENT');
  };
  assert.equal(readClientSettings({}, noHome).configFolder, undefined);
  assert.equal(readClientSettings({ XDG_CONFIG_HOME: '/config' }, noHome).configFolder, '/config/trawl');
  assert.equal(readClientSettings({ XDG_CONFIG_HOME: 'here' }, () => '/home/a').configFolder, '/home/a/.config/trawl');
});

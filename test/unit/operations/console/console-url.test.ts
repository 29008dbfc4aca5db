// The addresses of the console that people are shown.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browserUrl, consoleUrl } from '../../../../src/operations/console/console-url.ts';

test('a service that listens everywhere is opened at loopback', () => {
  assert.equal(browserUrl('http://0.0.0.0:3002'), 'http://127.0.0.1:3002');
  assert.equal(browserUrl('http://[::]:3002'), 'http://127.0.0.1:3002');
  for (const url of ['http://127.0.0.1:3002', 'http://[::1]:3002', 'http://10.0.0.0:3002', 'http://192.0.2.1:80'])
    assert.equal(browserUrl(url), url);
});

test('the token of a link is in the fragment, which no server sees', () => {
  assert.equal(consoleUrl('https://trawl.example', 'abc'), 'https://trawl.example/#login=abc');
  assert.equal(consoleUrl('http://127.0.0.1:3002', undefined), 'http://127.0.0.1:3002/');
});

// Which hosts and ports are the service's own.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOwnHostTest } from '../../../src/urls/own-host.ts';
import { bareHost, portOf } from '../../../src/urls/url.ts';

const isOwn = (publicUrl: string | undefined, target: string) => {
  const url = new URL(target);
  return createOwnHostTest(publicUrl)(bareHost(url), portOf(url));
};

const OWN: [publicUrl: string, targets: string[]][] = [
  [
    'https://trawl.example/base',
    [
      'https://trawl.example/',
      'http://trawl.example/',
      'https://TRAWL.Example/',
      'https://trawl.example./',
      'https://trawl.example../v2/scrape',
      'https://trawl.example:443/',
      'http://trawl.example:80/',
      'http://trawl.example:443/',
      'https://trawl.example:80/',
      'https://trawl.example.:0443/',
      'https://tr%61wl.example/',
      'https://trawl%2eexample/',
      'https://ｔｒａｗｌ。example/',
    ],
  ],
  [
    'https://Bücher.example.',
    ['https://bücher.example/', 'https://BÜCHER.example/', 'https://xn--bcher-kva.example./'],
  ],
  ['http://trawl.example:3002', ['http://trawl.example:3002/', 'https://trawl.example.:3002/']],
  ['http://trawl.example:80', ['http://trawl.example/', 'https://trawl.example/']],
  ['http://192.0.2.1:3002', ['http://192.0.2.1:3002/', 'http://3221225985:3002/', 'https://192.0.2.1.:3002/']],
  ['http://[2001:DB8::1]:3002', ['http://[2001:db8:0:0::1]:3002/']],
];

const OTHERS: [publicUrl: string | undefined, targets: string[]][] = [
  ['https://trawl.example', ['https://trawl.example:8443/', 'https://a.trawl.example/', 'https://example/']],
  ['http://trawl.example:3002', ['http://trawl.example/', 'http://trawl.example:3003/', 'http://xtrawl.example:3002/']],
  [undefined, ['https://trawl.example/']],
];

test('the public URL is recognised in every spelling', () => {
  for (const [publicUrl, targets] of OWN) {
    for (const target of targets) assert.ok(isOwn(publicUrl, target), `${target} is ${publicUrl}`);
  }
});

test('other hosts and ports are not the service', () => {
  for (const [publicUrl, targets] of OTHERS) {
    for (const target of targets) assert.ok(!isOwn(publicUrl, target), `${target} is not ${publicUrl}`);
  }
});

// Which pages belong to which category, and what the extension of an address is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { categoriesOf, extensionOf, hostsOfCategory, isWithin } from '../../../src/util/categories.ts';

const of = (url: string, fileType?: string) => categoriesOf(new URL(url), fileType);

test('a page belongs to a category by its host or its type', () => {
  assert.deepEqual(of('https://github.com/acme/parser'), ['github']);
  assert.deepEqual(of('https://gist.github.com/x'), ['github']);
  assert.deepEqual(of('https://arxiv.org/abs/2601.00001'), ['research']);
  assert.deepEqual(of('https://arxiv.org/pdf/2601.00001.pdf'), ['research', 'pdf']);
  assert.deepEqual(of('https://example.com/report.PDF'), ['pdf']);
  assert.deepEqual(of('https://example.com/report', 'pdf'), ['pdf']);
  // What it is counts more than what it is called.
  assert.deepEqual(of('https://example.com/report.pdf', 'html'), []);
});

test('a host that only looks like one does not', () => {
  for (const url of [
    'https://notgithub.com/',
    'https://github.com.evil.test/',
    'https://example.com/github.com',
    'https://github.community/',
  ]) {
    assert.deepEqual(of(url), [], url);
  }
});

test('within means the host itself and what is below it', () => {
  assert.ok(isWithin('example.com', 'example.com'));
  assert.ok(isWithin('a.b.example.com', 'example.com'));
  for (const host of ['notexample.com', 'example.com.au', 'com', ''])
    assert.equal(isWithin(host, 'example.com'), false, host);
});

test('the list of research hosts holds plain hosts, each once', () => {
  const hosts = hostsOfCategory('research');
  assert.ok(hosts.length > 10);
  assert.equal(new Set(hosts).size, hosts.length);
  for (const host of hosts) assert.match(host, /^[a-z0-9-]+(\.[a-z0-9-]+)+$/);
  assert.deepEqual(hostsOfCategory('pdf'), []);
});

test('an extension is that of the last part of the path', () => {
  const extension = (path: string) => extensionOf(new URL(path, 'https://example.com'));
  assert.equal(extension('/a/report.Pdf?x=.html#y.txt'), 'pdf');
  assert.equal(extension('/archive.tar.gz'), 'gz');
  for (const path of ['/', '/a.b/c', '/.htaccess', '/name.', '/x.thisistoolong', '/x.a-b', '/v1.2/'])
    assert.equal(extension(path), '', path);
});

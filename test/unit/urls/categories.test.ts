// Which pages belong to which category, and what the extension of a URL is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { categoriesOf, extensionOf, hostsOfCategory, isWithin } from '../../../src/urls/categories.ts';

const categories = (url: string, fileType?: string) => categoriesOf(new URL(url), fileType);

test('a page belongs to a category by its host or its type', () => {
  assert.deepEqual(categories('https://github.com/acme/parser'), ['github']);
  assert.deepEqual(categories('https://gist.github.com/x'), ['github']);
  assert.deepEqual(categories('https://arxiv.org/abs/2601.00001'), ['research']);
  assert.deepEqual(categories('https://arxiv.org/pdf/2601.00001.pdf'), ['research', 'pdf']);
  assert.deepEqual(categories('https://example.com/report.PDF'), ['pdf']);
  assert.deepEqual(categories('https://example.com/report', 'pdf'), ['pdf']);
  // The type wins over the extension.
  assert.deepEqual(categories('https://example.com/report.pdf', 'html'), []);
});

test('a host that only looks similar belongs to no category', () => {
  for (const url of [
    'https://notgithub.com/',
    'https://github.com.evil.test/',
    'https://example.com/github.com',
    'https://github.community/',
  ]) {
    assert.deepEqual(categories(url), [], url);
  }
});

test('isWithin covers the domain itself and its subdomains', () => {
  assert.ok(isWithin('example.com', 'example.com'));
  assert.ok(isWithin('a.b.example.com', 'example.com'));
  for (const host of ['notexample.com', 'example.com.au', 'com', ''])
    assert.equal(isWithin(host, 'example.com'), false, host);
});

test('the list of research hosts contains plain hosts, each once', () => {
  const hosts = hostsOfCategory('research');
  assert.ok(hosts.length > 10);
  assert.equal(new Set(hosts).size, hosts.length);
  for (const host of hosts) assert.match(host, /^[a-z0-9-]+(\.[a-z0-9-]+)+$/);
  assert.deepEqual(hostsOfCategory('pdf'), []);
});

test('the extension is taken from the last part of the path', () => {
  const extension = (path: string) => extensionOf(new URL(path, 'https://example.com'));
  assert.equal(extension('/a/report.Pdf?x=.html#y.txt'), 'pdf');
  assert.equal(extension('/archive.tar.gz'), 'gz');
  for (const path of ['/', '/a.b/c', '/.htaccess', '/name.', '/x.thisistoolong', '/x.a-b', '/v1.2/'])
    assert.equal(extension(path), '', path);
});

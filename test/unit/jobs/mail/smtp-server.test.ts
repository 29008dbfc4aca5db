import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSender, parseSmtpUrl, parseTrustedRecipients } from '../../../../src/jobs/mail/smtp-server.ts';

test('the scheme of the URL says how the connection is encrypted, and gives the port', () => {
  assert.deepEqual(parseSmtpUrl('smtps://mail.example.org'), {
    host: 'mail.example.org',
    port: 465,
    encryption: 'tls',
  });
  assert.deepEqual(parseSmtpUrl('smtp://10.0.0.5:2525/'), { host: '10.0.0.5', port: 2525, encryption: 'none' });
  assert.deepEqual(parseSmtpUrl('starttls://a%40b.c:p%3Aw%2F@[2001:db8::1]'), {
    ...{ host: '2001:db8::1', port: 587, encryption: 'starttls' },
    ...{ user: 'a@b.c', password: 'p:w/' },
  });
});

test('what is no address of a mail server is refused, without repeating the password', () => {
  for (const text of [
    'mail.example.org',
    'https://x:geheim@mail',
    'smtp://',
    'smtps://a:geheim@mail/path',
    'smtps://mail?x',
  ]) {
    assert.throws(
      () => parseSmtpUrl(text),
      (error: Error) => /smtps:\/\//.test(error.message) && !error.message.includes('geheim'),
    );
  }
  assert.throws(() => parseSmtpUrl('smtps://a:%E0%A4%A@mail'), /percent-encoded/);
});

test('a password is sent in clear to this machine only', () => {
  assert.throws(() => parseSmtpUrl('smtp://user:geheim@mail.example.org'), /starttls/);
  assert.equal(parseSmtpUrl('smtp://user:geheim@localhost').user, 'user');
});

test('a sender is an address, with or without a name', () => {
  assert.deepEqual(parseSender('ops@example.org'), { name: '', address: 'ops@example.org' });
  assert.deepEqual(parseSender('"Trawl, the watcher" <ops@example.org>'), {
    name: 'Trawl, the watcher',
    address: 'ops@example.org',
  });
  for (const text of ['ops', 'a@b, c@d', 'x <a@b> <c@d>', 'a@b\r\nBcc: c@d', '<>'])
    assert.throws(() => parseSender(text), text);
});

test('trusted recipients are addresses and whole domains', () => {
  const trusted = parseTrustedRecipients('Ann@example.org, @corp.example');
  for (const address of ['ann@example.org', 'ANN@EXAMPLE.ORG', 'bob@corp.example'])
    assert.ok(trusted.has(address), address);
  for (const address of ['bob@example.org', 'x@evilcorp.example', 'bob@sub.corp.example', '@corp.example@evil.example'])
    assert.ok(!trusted.has(address), address);
  assert.throws(() => parseTrustedRecipients('example.org'), /entry 1/);
});

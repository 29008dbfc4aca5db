// Mail: headers, plain and HTML bodies, attachments, and nested mails.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseMail } from '../../../../src/parse/mail/mail.ts';
import { plainTextHtml } from '../../../../src/parse/mail/plain-body.ts';
import { htmlOf, parsedBy } from '../../../support/parsed.ts';

const mail = (heads: string[], body: string): Buffer => Buffer.from(`${heads.join('\r\n')}\r\n\r\n${body}`);
const html = async (heads: string[], body: string): Promise<string> =>
  htmlOf(await parsedBy(parseMail, mail(heads, body)));

const multipart = (type: string, parts: string[]): [head: string, body: string] => [
  `Content-Type: multipart/${type}; boundary=b0`,
  `${parts.map((part) => `--b0\r\n${part}\r\n`).join('')}--b0--\r\n`,
];

const PNG = Buffer.from('\x89PNG\r\n\x1a\nand so on', 'latin1').toString('base64');

test('encoded words and file names split into several pieces are decoded', async () => {
  const [head, body] = multipart('mixed', [
    'Content-Type: text/plain\r\n\r\nhello',
    "Content-Type: application/pdf\r\nContent-Disposition: attachment; filename*0*=utf-8''Gr%C3%B6; filename*1*=%C3%9Fe.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\nYWJj",
  ]);
  const heads = ['From: =?iso-8859-1?Q?J=F6rg?= <j@a.example>', 'Subject: =?utf-8?B?w5xiZXI=?= uns', head];
  const parsed = await parsedBy(parseMail, mail(heads, body));
  assert.equal(parsed.metadata.title, 'Über uns');
  assert.equal(parsed.metadata.author, 'Jörg <j@a.example>');
  assert.match(htmlOf(parsed), /<b>Attachments:<\/b> Größe\.pdf \(application\/pdf, 3 bytes\)/);
});

test('a body in another charset is decoded', async () => {
  const body = Buffer.from([0xf0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4]).toString('latin1');
  const bytes = Buffer.from(`Subject: s\r\nContent-Type: text/plain; charset=koi8-r\r\n\r\n${body}`, 'latin1');
  assert.match(htmlOf(await parsedBy(parseMail, bytes)), /<p>Привет<\/p>/);
});

test('the HTML body is preferred, and a picture it shows is not listed as an attachment', async () => {
  const [head, body] = multipart('related', [
    'Content-Type: text/html\r\n\r\n<p>See <img src="cid:p%401" alt="chart"><img src="cid:none" alt="gone"></p>',
    `Content-Type: image/png; name=p.png\r\nContent-ID: <p@1>\r\nContent-Transfer-Encoding: base64\r\n\r\n${PNG}`,
    `Content-Type: image/png; name=q.png\r\nContent-ID: <q@1>\r\nContent-Transfer-Encoding: base64\r\n\r\n${PNG}`,
  ]);
  const text = await html(['Subject: s', head], body);
  assert.ok(text.includes(`<img src="data:image/png;base64,${PNG}" alt="chart">gone`));
  assert.match(text, /<b>Attachments:<\/b> q\.png \(image\/png, 17 bytes\)<\/p>/);
});

test('links that are not web links become text', async () => {
  const body = '<a href="javascript:x()">a</a><a href="file:///etc/passwd">b</a><a href="https://a.example/">c</a>';
  const text = await html(['Subject: s', 'Content-Type: text/html'], body);
  assert.match(text, /<a>a<\/a><a>b<\/a><a href="https:\/\/a\.example\/">c<\/a>/);
});

test('nested mails are shown down to the fifth level and then listed', async () => {
  let inner = Buffer.from('Subject: level 8\r\n\r\nend');
  for (let level = 7; level >= 1; level--) {
    const head = `Subject: level ${level}\r\nContent-Type: multipart/mixed; boundary=b${level}`;
    const part = `--b${level}\r\nContent-Type: message/rfc822\r\n\r\n${inner.toString()}\r\n--b${level}--\r\n`;
    inner = Buffer.from(`${head}\r\n\r\n${part}`);
  }
  const text = htmlOf(await parsedBy(parseMail, inner));
  assert.match(text, /<h5>level 5<\/h5>/);
  assert.doesNotMatch(text, /level 6/);
  assert.match(text, /unnamed \(message\/rfc822, \d+ bytes\)/);
});

test('an encrypted mail gives its headers and a warning', async () => {
  const heads = ['Subject: secret', 'Content-Type: application/pkcs7-mime; name=smime.p7m'];
  const parsed = await parsedBy(parseMail, mail(heads, 'AAAA'));
  assert.match(htmlOf(parsed), /<h1>secret<\/h1>/);
  assert.deepEqual(parsed.warnings, ['An encrypted or opaquely signed part of the mail was not read.']);
});

test('parts nested too deeply and endless headers are refused', async () => {
  const nested = Array.from(
    { length: 200 },
    (_, level) => `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}`,
  );
  await assert.rejects(parsedBy(parseMail, Buffer.from(`${nested.join('\r\n')}\r\n`)), {
    code: 'DOCUMENT_TOO_COMPLEX',
  });
  const heads = Buffer.from(`Subject: s\r\n${'X-Head: some value or other\r\n'.repeat(60_000)}\r\nbody`);
  await assert.rejects(parsedBy(parseMail, heads), { code: 'DOCUMENT_TOO_COMPLEX' });
});

const TEXTS: [what: string, text: string, expected: string][] = [
  ['line breaks are kept', 'a\nb\n\nc', '<p>a<br>\nb</p>\n<p>c</p>'],
  [
    'quotations nest',
    '> a\n>> b\nc',
    '<blockquote>\n<p>a</p>\n<blockquote>\n<p>b</p>\n</blockquote>\n</blockquote>\n<p>c</p>',
  ],
  ['a blank line does not end a quotation', '> a\n\n> b', '<blockquote>\n<p>a</p>\n<p>b</p></blockquote>'],
  ['markup is escaped', '<b>&', '<p>&lt;b&gt;&amp;</p>'],
  ['columns keep their spaces', 'a    1\nb    2', '<pre>a    1\nb    2</pre>'],
  [
    'URLs become links, without the punctuation around them',
    'see https://a.example/x?y=1.',
    '<p>see <a href="https://a.example/x?y=1">https://a.example/x?y=1</a>.</p>',
  ],
];

for (const [what, text, expected] of TEXTS)
  test(`plain text: ${what}`, () => assert.equal(plainTextHtml(text), expected));

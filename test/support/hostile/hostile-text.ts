// Mails, notebooks and TeX with endless nesting, repetition or references, and texts with a wrong extension.
import { EITHER, type Ending, type HostileFile, slow } from './hostile-file.ts';

const file = (
  title: string,
  name: string,
  text: () => string | Uint8Array,
  ...endings: readonly Ending[]
): HostileFile => ({
  title,
  name,
  bytes: () => Buffer.from(text()),
  endings,
});

const HEAD = 'From: a@example.com\r\nTo: b@example.com\r\nSubject: x\r\nMIME-Version: 1.0\r\n';

const mail = (title: string, rest: () => string): HostileFile =>
  file(`mail ${title}`, 'a.eml', () => HEAD + rest(), ...EITHER);

const multipart = (boundary: string | number): string =>
  `Content-Type: multipart/mixed; boundary="b${boundary}"\r\n\r\n--b${boundary}\r\n`;

const notebook = (title: string, text: () => string): HostileFile =>
  file(`notebook ${title}`, 'a.ipynb', text, ...EITHER);

const cells = (list: string): string => `{"nbformat":4,"nbformat_minor":5,"metadata":{},"cells":[${list}]}`;

const tex = (title: string, body: () => string): HostileFile =>
  file(
    `tex ${title}`,
    'a.tex',
    () => `\\documentclass{article}\n\\begin{document}\n${body()}\n\\end{document}\n`,
    ...EITHER,
  );

export const hostileText = (outside: string): readonly HostileFile[] => [
  mail('has ten thousand parts in each other', () =>
    Array.from({ length: 10_000 }, (_, level) => multipart(level)).join(''),
  ),
  mail('has a thousand mails in each other', () =>
    'Content-Type: message/rfc822\r\n\r\nFrom: a@b.c\r\nSubject: y\r\n'.repeat(1000),
  ),
  mail(
    'has a hundred thousand fields',
    () => `${Array.from({ length: 100_000 }, (_, index) => `X-${index}: y\r\n`).join('')}\r\nbody`,
  ),
  mail('has a field of 10 MB', () => `X-Long: ${'y'.repeat(10_000_000)}\r\n\r\nbody`),
  mail('has a field folded a hundred thousand times', () => `X-Long: y\r\n${' y\r\n'.repeat(100_000)}\r\nbody`),
  slow(
    mail(
      'has a hundred thousand parts',
      () => multipart('x') + 'Content-Type: text/plain\r\n\r\nx\r\n--bx\r\n'.repeat(100_000),
    ),
  ),
  mail('never closes its parts', () => `${multipart('x')}Content-Type: text/html\r\n\r\n<p>x`),
  mail('has a boundary of 100 kB', () => multipart('y'.repeat(100_000))),
  mail('has base64 that is none', () => `Content-Transfer-Encoding: base64\r\n\r\n${'=!%'.repeat(100_000)}`),
  mail(
    'has an encoding that nobody knows',
    () => 'Content-Type: text/plain; charset=x-none-such\r\nContent-Transfer-Encoding: x-y\r\n\r\nbody',
  ),
  mail(
    'has encoded words without end',
    () => `X: ${'=?utf-8?q?=?='.repeat(50_000)}\r\nSubject: ${'=?utf-8?b?'.repeat(50_000)}\r\n\r\nbody`,
  ),
  mail(
    'has an address list of groups in each other',
    () => `Cc: ${'g: '.repeat(20_000)};\r\nReply-To: ${'('.repeat(50_000)}\r\n\r\nbody`,
  ),
  mail(
    'has pictures that are elsewhere',
    () => `Content-Type: text/html\r\n\r\n<p>x<img src="${outside}/pixel.png"><iframe src="${outside}/f"></iframe>`,
  ),
  notebook('is nested a hundred thousand deep', () => cells('['.repeat(100_000) + ']'.repeat(100_000))),
  notebook('has metadata nested a hundred thousand deep', () =>
    cells('').replace('{}', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
  ),
  notebook('has cells of the wrong sorts', () =>
    cells('1,null,"x",[],{},{"cell_type":5,"source":{"a":1}},{"cell_type":"code","source":[1,2],"outputs":"x"}'),
  ),
  notebook('has a hundred thousand cells', () =>
    cells(Array.from({ length: 100_000 }, () => '{"cell_type":"markdown","source":"x","metadata":{}}').join(',')),
  ),
  notebook('has outputs in HTML that is nested', () =>
    cells(
      `{"cell_type":"code","source":"","outputs":[{"output_type":"display_data","data":{"text/html":"${'<div>'.repeat(100_000)}"}}]}`,
    ),
  ),
  notebook('is cut', () => cells('{"cell_type":"markdown","source":"x"}').slice(0, -10)),
  tex('has a macro that calls itself', () => '\\def\\a{\\a\\a}\\newcommand{\\b}{\\b\\b}\\a \\b'),
  tex(
    'includes files',
    () => '\\input{/etc/passwd}\\include{../../etc/passwd}\\lstinputlisting{/etc/passwd}\\verbatiminput{/etc/passwd}',
  ),
  tex('runs programs', () => '\\immediate\\write18{touch /tmp/x}\\input{|"cat /etc/passwd"}'),
  tex('has a hundred thousand groups in each other', () => '{'.repeat(100_000)),
  tex('has a hundred thousand lists in each other', () => '\\begin{itemize}\\item '.repeat(100_000)),
  tex('has a million dollars', () => '$'.repeat(1_000_000)),
  tex('has environments that never end', () => '\\begin{verbatim}\\begin{table}\\begin{tabular}{*{99999999}{c}} a & b'),
  tex('has backslashes only', () => '\\'.repeat(500_000)),
  file('HTML called a PDF', 'a.pdf', () => '<!doctype html><h1>Not found</h1><p>No %PDF-1.7 here.', 'none'),
  file('HTML called a letter', 'a.docx', () => '<html><body>Sign in</body></html>', 'none'),
  file('text called a workbook', 'a.xlsx', () => 'just words', 'none'),
  file('text called a picture', 'a.png', () => 'just words', 'none'),
  file('JSON called a mail', 'a.eml', () => '{"a":1}', 'none'),
  file('nothing, called a PDF', 'a.pdf', () => '', 'DOCUMENT_DAMAGED'),
  file('nothing, called a letter', 'a.docx', () => '', 'DOCUMENT_DAMAGED'),
  file(
    'noise called a PDF',
    'a.pdf',
    () => Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * 7919) % 251)),
    ...EITHER,
  ),
];

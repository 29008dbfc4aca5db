// Multipart forms with one file: any order, any name, and a reason for every refusal.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import type { Call } from '../../../../src/operations/call.ts';
import { noise } from '../../../conformance/samples.ts';
import { KEY, startEdge } from '../edge.ts';

type Body = RequestInit['body'];

interface ParsedForm {
  name: string;
  type: string;
  bytes: string;
  body: Record<string, unknown>;
}

/** Returns the parsed form. */
const returnForm = async (_operation: string, { file, body }: Call<'parse'>): Promise<ParsedForm> => ({
  name: file!.name,
  type: file!.type,
  bytes: Buffer.from(await file!.read()).toString('latin1'),
  body,
});

async function edge(t: TestContext) {
  const { url, incoming } = await startEdge(t, { answer: returnForm });
  const post = async <T = ParsedForm>(body: Body, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}/v2/parse`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, ...headers },
      body,
      duplex: 'half',
    } as RequestInit);
    return { status: response.status, body: (await response.json()) as T };
  };
  const refused = async (body: Body, message: RegExp, headers?: Record<string, string>) => {
    const { status, body: answer } = await post<Record<string, unknown>>(body, headers);
    assert.deepEqual([status, answer.code], [400, 'BAD_REQUEST'], JSON.stringify(answer));
    assert.match(String(answer.error), message);
    assert.deepEqual(readdirSync(incoming, { recursive: true }), [], 'a file was left');
  };
  return { url, post, refused };
}

const fileOf = (text = 'a,b\n', name = 'table.csv', type = 'text/csv') => new File([text], name, { type });

/** A form written by hand. */
const handmade = (...parts: [head: string, body: string][]) => ({
  body: Buffer.from(
    `${parts.map(([head, body]) => `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`).join('')}--b--\r\n`,
  ),
  headers: { 'content-type': 'multipart/form-data; boundary=b' },
});

function formOf(...parts: [name: string, value: string | Blob][]): FormData {
  const form = new FormData();
  for (const [name, value] of parts) form.append(name, value);
  return form;
}

const OPTIONS = JSON.stringify({ onlyMainContent: false, unknown: true });

test('parts may come in any order, with options in any of the encodings that clients use', async (t) => {
  const { post } = await edge(t);
  for (const options of [OPTIONS, new Blob([OPTIONS], { type: 'application/json' }), new Blob([OPTIONS])]) {
    for (const parts of [
      [['file', fileOf()] as const, ['options', options] as const],
      [['options', options] as const, ['file', fileOf()] as const],
    ]) {
      const { status, body } = await post(formOf(...(parts as [string, string | Blob][])));
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual([body.name, body.type, body.bytes], ['table.csv', 'text/csv', 'a,b\n']);
      assert.deepEqual([body.body.onlyMainContent, body.body.timeout], [false, 30_000]);
    }
  }
  const plain = handmade(
    ['name="options"\r\nContent-Type: application/json; charset=utf-8', OPTIONS],
    ['name="file"; filename="x"', 'text'],
  );
  assert.equal((await post(plain.body, plain.headers)).body.body.onlyMainContent, false);
});

test('without options the defaults apply, and unknown parts are ignored', async (t) => {
  const { post } = await edge(t);
  const { body } = await post(formOf(['file', fileOf()], ['note', 'x'], ['picture', fileOf('y', 'y.png')]));
  assert.equal(body.bytes, 'a,b\n');
  assert.deepEqual(body.body.formats, [{ type: 'markdown' }]);
});

test('binary files arrive unchanged', async (t) => {
  const { post } = await edge(t);
  const bytes = noise(600_000);
  const { body } = await post(formOf(['file', new File([Buffer.from(bytes)], 'noise.bin')]));
  assert.ok(Buffer.from(body.bytes, 'latin1').equals(bytes));
});

test('a file name is decoded in every encoding, without its folders and invisible characters', async (t) => {
  const { post } = await edge(t);
  const cases: [head: string, name: string][] = [
    ['filename="plain.txt"', 'plain.txt'],
    ['filename="Prüfung 報告.pdf"', 'Prüfung 報告.pdf'],
    ["filename*=UTF-8''Pr%C3%BCfung%20%E5%A0%B1.pdf", 'Prüfung 報.pdf'],
    ['filename="../../etc/passwd"', 'passwd'],
    ['filename="C:\\\\Users\\\\me\\\\report.docx"', 'report.docx'],
    ['filename="a\u0007b\u202etxt.exe"', 'abtxt.exe'],
    ['filename="quo\\"ted.txt"', 'quo"ted.txt'],
    ['filename=""', 'file'],
    ['filename=".."', 'file'],
    ['', 'file'],
    [`filename="${'n'.repeat(600)}.html"`, `${'n'.repeat(507)}.html`],
  ];
  for (const [head, name] of cases) {
    const form = handmade([`name="file"${head && `; ${head}`}`, 'text']);
    const { status, body } = await post(form.body, form.headers);
    assert.deepEqual([status, body.name, body.bytes], [200, name, 'text'], head);
  }
});

test('anything but a form with one file is refused with a specific reason', async (t) => {
  const { post, refused } = await edge(t);
  // Creates the folder that is inspected below.
  await post(formOf(['file', fileOf()]));

  await refused(formOf(['options', OPTIONS]), /no file/);
  await refused(formOf(['File', fileOf()]), /no file.*part named `file`/);
  await refused(formOf(['file', fileOf()], ['file', fileOf()]), /several files. Send one/);
  await refused(
    formOf(['file', fileOf()], ['options', '{"formats": [']),
    /`options` must be a JSON object.*not valid JSON/,
  );
  for (const options of ['[]', '"markdown"', '5', 'null', '']) {
    await refused(formOf(['options', options], ['file', fileOf()]), /`options` must be a JSON object/);
  }
  const wrong = new Blob(['{'], { type: 'application/json' });
  await refused(formOf(['options', wrong], ['file', fileOf()]), /`options` must be a JSON object/);
  await refused(formOf(['options', `{"x": "${'y'.repeat(100_000)}"}`], ['file', fileOf()]), /`options` is larger/);
  await refused(formOf(...Array.from({ length: 40 }, () => ['x', 'y'] as [string, string])), /could not be read/);
});

test('a form that is truncated, empty, or has the wrong boundary is refused', async (t) => {
  const { post, refused } = await edge(t);
  await post(formOf(['file', fileOf()]));
  const { body, headers } = handmade(['name="file"; filename="x"', 'y'.repeat(200)], ['name="options"', '{}']);
  for (const length of [10, 60, 150, body.length - 8]) {
    await refused(body.subarray(0, length), /could not be read|no file/, headers);
  }
  await refused(body, /could not be read|no file/, { 'content-type': 'multipart/form-data; boundary=other' });
  await refused(body, /could not be read/, { 'content-type': 'multipart/form-data' });
  await refused('', /no file/, headers);
});

test('a file that is too large is refused by its announced length, or else while it arrives', async (t) => {
  const { post, refused } = await edge(t);
  const largest = 1_000_000;
  const { status } = await post(formOf(['file', fileOf('x'.repeat(largest))]));
  assert.equal(status, 200);
  await refused(formOf(['file', fileOf('x'.repeat(largest + 1))]), /larger than 0\.95\d* MB.*TRAWL_MAX_UPLOAD_MB/);
  await refused(formOf(['file', fileOf('x'.repeat(4 * largest))]), /larger than/);

  // No announced length, and the file itself never begins.
  const { headers } = handmade();
  const endless = (text: string) =>
    new ReadableStream({
      pull: (controller) => controller.enqueue(Buffer.from(text)),
    });
  await refused(endless('x'.repeat(50_000)), /larger than/, headers);
});

test('the fields of a form are validated like a JSON body', async (t) => {
  const { post } = await edge(t);
  const options = JSON.stringify({ timeout: 5, formats: ['nothing'] });
  const { status, body } = await post<{ code: string; details: { path: unknown[] }[] }>(
    formOf(['file', fileOf()], ['options', options]),
  );
  assert.deepEqual([status, body.code], [400, 'BAD_REQUEST']);
  assert.deepEqual(body.details.map(({ path }) => path.join('.')).sort(), ['formats.0', 'timeout']);
});

test('other content types are refused with a hint on how to send a file', async (t) => {
  const { post } = await edge(t);
  for (const type of ['application/pdf', 'text/plain', 'application/x-www-form-urlencoded']) {
    const { status, body } = await post<{ code: string; error: string }>('x', { 'content-type': type });
    assert.deepEqual([status, body.code], [415, 'UNSUPPORTED_MEDIA_TYPE']);
    assert.match(body.error, /multipart\/form-data, in a part named `file`/);
  }
});

test('an uploaded file is deleted after the answer, and is unnamed on disk until then', async (t) => {
  const seen: string[] = [];
  const { url, incoming } = await startEdge(t, {
    answer: async (_operation, { file }) => {
      seen.push(...readdirSync(incoming));
      return { size: file!.size };
    },
  });
  const body = formOf(['file', fileOf()]);
  await fetch(`${url}/v2/parse`, { method: 'POST', headers: { authorization: `Bearer ${KEY}` }, body });
  assert.deepEqual([seen, readdirSync(incoming)], [[], []]);
});

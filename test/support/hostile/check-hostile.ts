// Hostile and damaged files end in a parsed file or a clear error, and leave no process or file behind.
import assert from 'node:assert/strict';
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { ServiceError } from '../../../src/contracts/errors/errors.ts';
import type { ParsedFile, ParseOptions } from '../../../src/page/parsed.ts';
import { fileKind } from '../../../src/parse/detect/detect.ts';
import type { FileParser } from '../../../src/parse/file-parser.ts';
import { createParserPool } from '../../../src/parse/process/parser-pool.ts';
import { OWN_WORK } from '../../../src/runtime/gate/gate.ts';
import { HOSTILE_ARCHIVES } from './hostile-archives.ts';
import { hostileCuts } from './hostile-cuts.ts';
import type { Ending, HostileFile } from './hostile-file.ts';
import { hostileOffice } from './hostile-office.ts';
import { HOSTILE_OLE } from './hostile-ole.ts';
import { HOSTILE_PDF_PICTURES, hostilePdf } from './hostile-pdf.ts';
import { HOSTILE_PICTURES } from './hostile-pictures.ts';
import { HOSTILE_SHEETS } from './hostile-sheets.ts';
import { hostileText } from './hostile-text.ts';

/** On a busy machine, what is read or refused at once takes seconds, too. */
const LIMITS = { timeMs: 10_000, memoryBytes: 600 * 1024 * 1024, outputLength: 32 * 1024 * 1024 };
const GOOD = Buffer.from('From: a@example.com\r\nSubject: A good mail\r\n\r\nGood words.\r\n');
const searchPath = process.env.PATH ?? '';
const hasTesseract = searchPath.split(delimiter).some((folder) => existsSync(join(folder, 'tesseract')));

/** Tests of the files that `isWanted` selects. */
export async function checkHostileFiles(isWanted: (file: HostileFile) => boolean): Promise<void> {
  // Everything a parser process leaves behind would be here.
  const originalTmpdir = process.env.TMPDIR;
  const folder = mkdtempSync(join(tmpdir(), 'trawl-hostile-'));
  process.env.TMPDIR = folder;

  const asked: string[] = [];
  const canary = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end('fetched');
  });
  await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
  const outside = `http://127.0.0.1:${(canary.address() as AddressInfo).port}`;

  // Without the programs that confine a process, so that the result does not depend on them.
  const pool = createParserPool({
    workers: 2,
    limits: LIMITS,
    ocr: { program: 'off', languages: ['eng'], searchPath: '' },
  });
  const readingPool = createParserPool({ workers: 2, limits: LIMITS, ocr: { languages: ['eng'], searchPath } });

  after(async () => {
    await Promise.all([pool.close(), readingPool.close()]);
    canary.close();
    if (originalTmpdir === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = originalTmpdir;
    rmSync(folder, { recursive: true, force: true });
  });

  describe('hostile files end in a parsed file or a clear error, and do no harm', { concurrency: 2 }, () => {
    const files = [
      ...HOSTILE_ARCHIVES,
      ...hostileOffice(outside),
      ...HOSTILE_SHEETS,
      ...HOSTILE_OLE,
      ...hostileText(outside),
      ...hostilePdf(outside),
      ...hostileCuts().filter(({ name }) => !/\.(?:png|jpe?g|gif|tiff?|bmp|webp|avif)$/.test(name)),
    ];
    for (const file of files.filter(isWanted)) test(file.title, () => check(file, pool));
  });

  describe('hostile pictures', { concurrency: 2, skip: hasTesseract ? false : 'tesseract is not installed' }, () => {
    const files = [...HOSTILE_PICTURES, ...HOSTILE_PDF_PICTURES].filter(isWanted);
    for (const file of files) test(file.title, () => check(file, readingPool));
  });

  test('hostile files cause no request and leave no process and no file behind', async () => {
    await Promise.all([pool.close(), readingPool.close()]);
    assert.deepEqual(asked, []);
    assert.deepEqual(readdirSync(folder), []);
    const children = globSync('/proc/self/task/*/children').flatMap((list) =>
      readFileSync(list, 'utf8').trim().split(' '),
    );
    assert.deepEqual(children.filter(Boolean), []);
  });
}

async function check({ name, bytes, endings }: HostileFile, reader: FileParser): Promise<void> {
  const ending = await endingOf(name, bytes(), reader);
  assert.ok(endings.includes(ending), `it ended with ${ending}, not with ${endings.join(' or ')}`);
  const after = await read('good.eml', GOOD, reader);
  assert.match(JSON.stringify(after), /Good words/);
}

async function endingOf(name: string, bytes: Uint8Array, reader: FileParser): Promise<Ending> {
  try {
    const parsed = await read(name, bytes, reader);
    if (!parsed) return 'none';
    assert.doesNotMatch(
      JSON.stringify(parsed).slice(0, 1_000_000),
      /root:x?:0:0|fetched/,
      'the output must not contain foreign data',
    );
    return 'document';
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return error.code as Ending;
  }
}

async function read(name: string, bytes: Uint8Array, reader: FileParser): Promise<ParsedFile | undefined> {
  const kind = fileKind({ bytes, contentType: '', name });
  if (kind === undefined) return undefined;
  const pdf = { mode: 'auto', pages: false, blocks: false, pageMarkers: false } as const;
  const options: ParseOptions = { pdf, deadline: Date.now() + 60_000 };
  return reader.parse({ kind, name, bytes }, options, OWN_WORK, new AbortController().signal);
}

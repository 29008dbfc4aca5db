// OCR with the installed and the bundled tesseract, and how it is stopped.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseImage } from '../../../../src/parse/image/image.ts';
import { languagesFor } from '../../../../src/parse/ocr/engine/script-languages.ts';
import { ocrMarkdown } from '../../../../src/parse/ocr/layout/ocr-markdown.ts';
import type { Ocr } from '../../../../src/parse/ocr/ocr.ts';
import { isAlive } from '../../../support/browser/browser.ts';
import { fullTest, test } from '../../../support/full-run.ts';
import { convertPicture, NEEDS_FFMPEG } from '../../../support/media-tools.ts';
import { fixture, NEEDS_TESSERACT, systemOcr } from '../../../support/ocr.ts';

const { signal } = new AbortController();
const NEEDS_BOTH = { skip: NEEDS_TESSERACT.skip || NEEDS_FFMPEG.skip };
const TABLE = fixture('image--bitmap-of-a-table', 'bmp');
const PDF = { mode: 'auto', pages: false, blocks: false, pageMarkers: false } as const;

const parse = (bytes: Uint8Array, ocr: Ocr, withinMs = 60_000) =>
  parseImage({ kind: 'image', name: 'a', bytes }, { pdf: PDF, deadline: Date.now() + withinMs }, { ocr });

/** A script in its own folder that stands in for tesseract. */
function standIn(t: TestContext, script: string, languages = ['eng']): { folder: string; program: string } {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-ocr-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const program = join(folder, 'tesseract');
  writeFileSync(
    program,
    `#!/bin/sh\n[ "$1" = --list-langs ] && { printf 'List\\n${languages.join('\\n')}\\n'; exit 0; }\n${script}\n`,
  );
  chmodSync(program, 0o755);
  return { folder, program };
}

test('a picture of text becomes Markdown, with its format and size as metadata', NEEDS_TESSERACT, async () => {
  const { body, metadata, warnings, numPages } = await parse(TABLE, systemOcr());
  assert.match((body as { markdown: string }).markdown, /^\| Work \| Weeks \| Pounds \|\n/);
  assert.deepEqual([metadata, warnings, numPages], [{ format: 'bmp', width: '1100', height: '260' }, [], undefined]);
});

fullTest('the pages of a TIFF are joined and counted', NEEDS_TESSERACT, async () => {
  const { body, numPages, totalPages } = await parse(fixture('image--fax-of-two-pages', 'tiff'), systemOcr());
  assert.match((body as { markdown: string }).markdown, /^# Order 771[\s\S]+\n\nThe bill is to be made out/);
  assert.deepEqual([numPages, totalPages], [2, 2]);
});

test('formats that tesseract does not know are read with ffmpeg', NEEDS_BOTH, async () => {
  const picture = convertPicture(TABLE, ['-c:v', 'jpeg2000', '-pix_fmt', 'gray', '-f', 'image2pipe']);
  assert.match(ocrMarkdown(await systemOcr().read({ bytes: picture }, signal)), /Clockwork/);
});

test('without ffmpeg, a format that needs it is refused with the reason', async () => {
  const avif = Buffer.from('\0\0\0\x0cftypavif\0\0\0\x14ispe\0\0\0\0\0\0\0\x20\0\0\0\x20', 'latin1');
  await assert.rejects(systemOcr({ ffmpeg: 'off' }).read({ bytes: avif }, signal), {
    code: 'SCRAPE_UNSUPPORTED_FILE_ERROR',
    message: /avif .* ffmpeg/,
  });
});

fullTest('transparency counts as white, and colour noise does not count as ink', NEEDS_BOTH, async () => {
  const bad = 'format=rgba,noise=c0s=40:c1s=40:c2s=40:all_seed=7,colorkey=white:0.4:0';
  const picture = convertPicture(TABLE, ['-vf', bad, '-c:v', 'png', '-f', 'image2pipe']);
  assert.match(ocrMarkdown(await systemOcr().read({ bytes: picture }, signal)), /^\| Work \| Weeks \| Pounds \|\n/);
});

test('text with low confidence is read again in its own script', async (t) => {
  const words = (text: string, confidence: number) =>
    `<p class='ocr_par'><span class='ocr_line' title="baseline 0 0"><span class='ocrx_word' title='bbox 0 0 90 20; x_wconf ${confidence}'>${text}</span></span></p>`;
  const { program } = standIn(
    t,
    `case "$*" in
      *"-l osd --psm 0"*) printf 'Rotate: 0\\nScript: Han\\n';;
      *"-l chi_sim+eng --psm 1"*) echo "${words('自由平等', 90)}";;
      *) echo "${words('AAEMBH', 30)}";;
    esac`,
    ['eng', 'osd', 'chi_sim'],
  );
  assert.equal(ocrMarkdown(await systemOcr({ program, ffmpeg: 'off' }).read({ bytes: TABLE }, signal)), '自由平等');
});

fullTest('a picture without text gives none, with a warning', NEEDS_BOTH, async () => {
  const empty = convertPicture(TABLE, ['-vf', 'drawbox=t=fill:color=white', '-c:v', 'png', '-f', 'image2pipe']);
  const { body, warnings } = await parse(empty, systemOcr());
  assert.deepEqual([body, warnings], [{ markdown: '' }, ['No text was found in the picture.']]);
});

test('a picture with too many pixels is refused before it is decoded', async (t) => {
  const { folder, program } = standIn(t, 'touch "$0.ran"');
  const png = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\0\0\0\0\0\x08\0\0\0\0', 'latin1');
  for (const [width, height] of [
    [100_000, 100_000],
    [10_000, 6_001],
    [40_000, 10],
  ] as const) {
    png.writeUInt32BE(width, 16);
    png.writeUInt32BE(height, 20);
    await assert.rejects(systemOcr({ program }).read({ bytes: png }, signal), { code: 'DOCUMENT_TOO_COMPLEX' });
  }
  assert.equal(existsSync(join(folder, 'tesseract.ran')), false);
});

test('bytes that are not a picture never reach tesseract, which would read them as a list of files', async (t) => {
  const { folder, program } = standIn(t, 'touch "$0.ran"');
  const list = Buffer.from('/etc/hostname\nhttp://127.0.0.1/\n');
  await assert.rejects(systemOcr({ program }).read({ bytes: list }, signal), { code: 'DOCUMENT_DAMAGED' });
  assert.equal(existsSync(join(folder, 'tesseract.ran')), false);
});

test('a picture that cannot be decoded is damaged', NEEDS_TESSERACT, async () => {
  const png = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x20\0\0\0\x20\x08\0\0\0\0rubbish', 'latin1');
  await assert.rejects(parse(png, systemOcr()), { code: 'DOCUMENT_DAMAGED' });
});

test('an abort ends the running program', async (t) => {
  const { folder, program } = standIn(t, 'echo $$ > "$0.pid"\nexec sleep 60');
  const pidFile = join(folder, 'tesseract.pid');
  const abort = new AbortController();
  const reading = systemOcr({ program, ffmpeg: 'off' }).read({ bytes: TABLE }, abort.signal);
  reading.catch(() => {});
  while (!existsSync(pidFile) || readFileSync(pidFile, 'utf8') === '') await sleep(10);
  abort.abort(new Error('enough'));
  await assert.rejects(reading, /enough/);
  assert.equal(isAlive(Number(readFileSync(pidFile, 'utf8'))), false);
});

test('a program that writes without end is stopped', async (t) => {
  const { program } = standIn(t, 'exec cat /dev/zero');
  await assert.rejects(systemOcr({ program, ffmpeg: 'off' }).read({ bytes: TABLE }, signal), {
    code: 'DOCUMENT_TOO_COMPLEX',
  });
});

test('a picture that is not read in time gives no text and a warning', async (t) => {
  const { program } = standIn(t, 'exec sleep 60');
  const { body, warnings } = await parse(TABLE, systemOcr({ program, ffmpeg: 'off' }), 700);
  assert.deepEqual(
    [body, warnings],
    [{ markdown: '' }, ['The picture could not be read in time. Allow a longer `timeout`.']],
  );
});

fullTest('without an installed tesseract, the bundled one reads the picture with its own data', async () => {
  const ocr = systemOcr({ searchPath: '' });
  assert.equal(await ocr.unavailable(), undefined);
  const text = await ocr.read({ bytes: TABLE, dpi: 200 }, signal);
  assert.match(ocrMarkdown(text), /^\| Work \| Weeks \| Pounds \|\n/);
  assert.deepEqual([text.width, text.height], [1100, 260]);
  const png = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x20\0\0\0\x20\x08\0\0\0\0rubbish', 'latin1');
  await assert.rejects(ocr.read({ bytes: png }, signal), { code: 'DOCUMENT_DAMAGED' });
});

test('each reason why OCR is unavailable has its own message', async (t) => {
  const { program } = standIn(t, '');
  assert.match((await systemOcr({ program: 'off' }).unavailable())!, /disabled/);
  assert.match((await systemOcr({ program: '/no/such/tesseract' }).unavailable())!, /set in TRAWL_OCR cannot be run/);
  assert.match(
    (await systemOcr({ program, languages: ['chi_sim'] }).unavailable())!,
    /Install tesseract-ocr-chi-sim\.$/,
  );
  await assert.rejects(parse(TABLE, systemOcr({ program: 'off' })), { code: 'SCRAPE_UNSUPPORTED_FILE_ERROR' });
});

test('a script is read with its requested languages, or else with the installed ones', () => {
  const installed = ['eng', 'deu', 'osd', 'rus', 'ukr', 'chi_sim', 'script/Thai'];
  assert.deepEqual(languagesFor('Latin', ['deu'], installed), ['deu']);
  assert.deepEqual(languagesFor('Cyrillic', ['eng', 'ukr'], installed), ['ukr', 'eng']);
  assert.deepEqual(languagesFor('Cyrillic', ['eng'], installed), ['rus', 'ukr', 'eng']);
  assert.deepEqual(languagesFor('Thai', ['eng'], installed), ['script/Thai', 'eng']);
  assert.equal(languagesFor('Greek', ['eng'], installed), undefined);
});

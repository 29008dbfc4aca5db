// OCR of a picture that has to be turned first, which reads it several times.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ocrMarkdown } from '../../../../src/parse/ocr/layout/ocr-markdown.ts';
import { convertPicture, NEEDS_FFMPEG } from '../../../support/media-tools.ts';
import { fixture, NEEDS_TESSERACT, systemOcr } from '../../../support/ocr.ts';

const { signal } = new AbortController();
const NEEDS_BOTH = { skip: NEEDS_TESSERACT.skip || NEEDS_FFMPEG.skip };

test('text on its side is read, and its bounding box is that in the picture', NEEDS_BOTH, async () => {
  const letter = fixture('image--upside-down', 'jpg');
  const onSide = convertPicture(letter, ['-vf', 'transpose=1', '-q:v', '5', '-f', 'image2pipe', '-c:v', 'mjpeg']);
  const text = await systemOcr().read({ bytes: onSide }, signal);
  assert.match(ocrMarkdown(text), /^# Report on the harbour lights\n\nThe keeper/);
  const [left, top, right, bottom] = text.blocks[0]!.bbox;
  assert.ok(right - left < bottom - top, 'the title must be taller than wide in the picture');
});

// OCR with the programs of this machine, and images of text.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createOcr } from '../../src/parse/ocr/create-ocr.ts';
import { listLanguages } from '../../src/parse/ocr/engine/system-tesseract.ts';
import type { OcrSettings } from '../../src/parse/ocr/ocr-settings.ts';
import { findProgram } from '../../src/runtime/programs/find-program.ts';

const searchPath = process.env.PATH ?? '';
const program = findProgram(['tesseract'], searchPath);
const installed = (program !== undefined && (await listLanguages(program))) || [];

/** For `test(name, NEEDS_TESSERACT, ...)`. */
export const NEEDS_TESSERACT = {
  skip: !['eng', 'osd'].every((name) => installed.includes(name)) && 'tesseract with eng and osd is not installed',
};

export const systemOcr = (settings: Partial<OcrSettings> = {}) =>
  createOcr({ languages: ['eng'], searchPath, ...settings });

/** Image of the fixture with this name. */
export const fixture = (name: string, extension: string): Uint8Array =>
  readFileSync(join(import.meta.dirname, '..', 'documents', name, `source.${extension}`));

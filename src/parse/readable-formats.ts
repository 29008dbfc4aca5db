// The formats that can be read, and which of them this machine can read now: pictures need OCR, and a few also ffmpeg.
import { chosenProgram } from '../runtime/programs/find-program.ts';
import { DOCUMENT_FORMATS, type FileFormat, PICTURE_FORMATS, TEXT_FORMATS } from './file-formats.ts';
import { FFMPEG_ONLY } from './ocr/create-ocr.ts';
import { findOcrTools } from './ocr/engine/ocr-tools.ts';
import type { OcrSettings } from './ocr/ocr-settings.ts';
import type { PictureFormat } from './ocr/picture/picture-header.ts';

export interface ReadableFormat {
  format: string;
  kind: 'document' | 'image';
  extensions: string[];
  mimeTypes: string[];
  available: boolean;
}

export async function readableFormats(ocr: OcrSettings): Promise<ReadableFormat[]> {
  const hasOcr = typeof (await findOcrTools(ocr)) !== 'string';
  const hasFfmpeg = chosenProgram(ocr.ffmpeg ?? 'auto', ['ffmpeg'], ocr.searchPath) !== undefined;
  const isReadable = (format: string) => hasOcr && (hasFfmpeg || !FFMPEG_ONLY.has(format as PictureFormat));
  return [
    ...Object.entries({ ...DOCUMENT_FORMATS, ...TEXT_FORMATS }).map((entry) => described(entry, 'document', true)),
    ...Object.entries(PICTURE_FORMATS).map((entry) => described(entry, 'image', isReadable(entry[0]))),
  ];
}

const described = (
  [format, { extensions, types }]: [string, FileFormat],
  kind: ReadableFormat['kind'],
  available: boolean,
): ReadableFormat => ({ format, kind, extensions: [...extensions], mimeTypes: [...types], available });

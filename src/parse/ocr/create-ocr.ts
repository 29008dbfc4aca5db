// OCR of pictures: checks the size before anything decodes the picture, prepares it, and reads it a second time if the
// first result is uncertain.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { chosenProgram } from '../../runtime/programs/find-program.ts';
import { lazy } from '../../util/lazy.ts';
import { damagedFile, tooComplex } from '../parse-errors.ts';
import type { OcrPage } from './engine/hocr.ts';
import { findOcrTools, type OcrTools } from './engine/ocr-tools.ts';
import { languagesFor } from './engine/script-languages.ts';
import { layOutText, meanConfidence } from './layout/layout.ts';
import type { Ocr, OcrText, Picture } from './ocr.ts';
import type { OcrSettings } from './ocr-settings.ts';
import { firstFrame } from './picture/first-frame.ts';
import { type PictureFormat, type PictureHeader, readPictureHeader } from './picture/picture-header.ts';
import { MAX_SIDE } from './picture/picture-limits.ts';
import { toGrey } from './picture/to-grey.ts';

/** Scale factor for ffmpeg, or `none` to let tesseract decode the original. */
type Preparation = 'none' | 1 | 2;

/** Formats that tesseract cannot decode. */
export const FFMPEG_ONLY: ReadonlySet<PictureFormat> = new Set(['avif', 'heic']);
/** Screenshots have letters of 10 to 20 pixels; tesseract was trained on letters twice as large. */
const SCREEN_PIXELS = 2_500_000;
/** Given explicitly, because tesseract's own guess is poor for enlarged pictures. */
const ENLARGED_DPI = 250;
/** Below this, the text is probably rotated, in another script, or not text at all. */
const MIN_CERTAINTY = 0.75;

export function createOcr(settings: OcrSettings): Ocr {
  // Programs are searched for when the first picture needs them.
  const getTools = lazy(() => findOcrTools(settings));
  const getFfmpeg = lazy(() => chosenProgram(settings.ffmpeg ?? 'auto', ['ffmpeg'], settings.searchPath));

  return {
    async unavailable() {
      const found = await getTools();
      return typeof found === 'string' ? found : undefined;
    },
    async read({ bytes, dpi }, signal) {
      const found = await getTools();
      if (typeof found === 'string') throw unsupported(found);
      const header = checkSize(bytes, found.maxPixels);
      const still = firstFrame(bytes, header.format);
      const ffmpeg = getFfmpeg();
      const preparations = preparationsFor(header, dpi).filter((how) => how === 'none' || ffmpeg !== undefined);
      let failure: unknown = unsupported(
        `Reading ${header.format} pictures requires ffmpeg, which is not installed on this server.`,
      );
      for (const how of preparations) {
        try {
          if (how === 'none') return layOutText(await readWithRetry(found, { bytes: still, dpi }, signal));
          const conversion = { ffmpeg: ffmpeg!, bytes: still, format: header.format, scale: how };
          const prepared = { bytes: await toGrey(conversion, signal), dpi: how > 1 ? ENLARGED_DPI : dpi };
          return scaledDown(layOutText(await readWithRetry(found, prepared, signal)), how);
        } catch (error) {
          // The other decoder may support the picture.
          if (!(error instanceof ServiceError) || error.code !== 'DOCUMENT_DAMAGED') throw error;
          failure = error;
        }
      }
      throw failure;
    },
  };
}

/** In the order in which they are tried. */
function preparationsFor({ format, width, height }: PictureHeader, dpi: number | undefined): Preparation[] {
  const isSmall = dpi === undefined && width * height <= SCREEN_PIXELS;
  return [isSmall ? 2 : 1, ...(FFMPEG_ONLY.has(format) ? [] : (['none'] as const))];
}

function checkSize(bytes: Uint8Array, maxPixels: number): PictureHeader {
  const header = readPictureHeader(bytes);
  if (!header) throw damagedFile('It is not a picture, or its size cannot be read.');
  const { width, height } = header;
  if (width > MAX_SIDE || height > MAX_SIDE || width * height > maxPixels) {
    throw tooComplex(
      `It has ${width} x ${height} pixels; the limits are ${maxPixels / 1e6} million in total and ${MAX_SIDE} per side.`,
    );
  }
  return header;
}

async function readWithRetry(tools: OcrTools, picture: Picture, signal: AbortSignal): Promise<OcrPage> {
  const { engine, languages, installed } = tools;
  const first = await engine.read({ ...picture, languages, layout: 'page' }, signal);
  if (certainty(first) >= MIN_CERTAINTY) return first;
  const detected = await engine.detectScript(picture.bytes, signal);
  if (!detected) return certainty(first) > 0 ? first : engine.read({ ...picture, languages, layout: 'sparse' }, signal);
  const fitting = languagesFor(detected.script, languages, installed) ?? languages;
  if (!detected.isRotated && fitting.every((language) => languages.includes(language))) return first;
  const second = await engine.read({ ...picture, languages: fitting, layout: 'rotated' }, signal);
  return certainty(second) > certainty(first) ? second : first;
}

const certainty = (page: OcrPage): number => meanConfidence(page.paragraphs.flat().flatMap(({ words }) => words));

/** Converts sizes back to pixels of the original picture. */
function scaledDown(text: OcrText, scale: number): OcrText {
  const blocks = text.blocks.map((block) => ({ ...block, lineHeight: block.lineHeight / scale }));
  return { ...text, blocks, width: text.width / scale, height: text.height / scale };
}

const unsupported = (message: string): ServiceError => new ServiceError('SCRAPE_UNSUPPORTED_FILE_ERROR', { message });

// Reads the text in pictures. A picture is measured before anything decodes it, prepared if need be, and read a second time
// where the first reading makes little sense.

import { ServiceError } from '../../contracts/errors.ts';
import { chosenProgram } from '../../util/find-program.ts';
import { damagedFile, tooComplex } from '../parse-errors.ts';
import type { ReadPage } from './engine/hocr.ts';
import { findMeans, type Means } from './engine/ocr-tools.ts';
import { languagesFor } from './engine/script-languages.ts';
import { confidenceOf, layOut } from './layout/layout.ts';
import type { Ocr, OcrText, Picture } from './ocr.ts';
import type { OcrSettings } from './ocr-settings.ts';
import { firstFrame } from './picture/first-frame.ts';
import { type PictureFormat, type PictureHeader, readPictureHeader } from './picture/picture-header.ts';
import { MAX_SIDE } from './picture/picture-limits.ts';
import { toGrey } from './picture/to-grey.ts';

/** How many times larger ffmpeg makes it; or as it is, with tesseract as its decoder. */
type Preparation = 'none' | 1 | 2;

/** No tesseract decodes them. */
const FOREIGN: ReadonlySet<PictureFormat> = new Set(['avif', 'heic']);
/** Pictures for screens have letters of 10 to 20 pixels, and tesseract was taught with twice as many. */
const SCREEN_PIXELS = 2_500_000;
/** So that it does not guess, at which it is bad with pictures that were enlarged. */
const ENLARGED_DPI = 250;
/** Below it the text is turned, in another script, or no text at all. */
const UNSURE = 0.75;

export function createOcr(settings: OcrSettings): Ocr {
  let found: Means | string | undefined;
  let converter: { ffmpeg: string | undefined } | undefined;
  // Programs are looked for when the first picture needs them.
  const means = () => {
    found ??= findMeans(settings);
    return found;
  };
  const ffmpeg = () => {
    converter ??= { ffmpeg: chosenProgram(settings.ffmpeg ?? 'auto', ['ffmpeg'], settings.searchPath) };
    return converter.ffmpeg;
  };

  return {
    unavailable() {
      const way = means();
      return typeof way === 'string' ? way : undefined;
    },
    async read({ bytes, dpi }, signal) {
      const way = means();
      if (typeof way === 'string') throw unsupported(way);
      const header = admit(bytes, way.maxPixels);
      const still = firstFrame(bytes, header.format);
      const program = ffmpeg();
      const preparations = preparationsFor(header, dpi).filter((how) => how === 'none' || program !== undefined);
      let failure: unknown = unsupported(
        `Pictures in the format ${header.format} are read only where ffmpeg is installed, and here it is not.`,
      );
      for (const how of preparations) {
        try {
          if (how === 'none') return layOut(await readTwice(way, { bytes: still, dpi }, signal));
          const conversion = { ffmpeg: program!, bytes: still, format: header.format, scale: how };
          const prepared = { bytes: await toGrey(conversion, signal), dpi: how > 1 ? ENLARGED_DPI : dpi };
          return reduced(layOut(await readTwice(way, prepared, signal)), how);
        } catch (error) {
          // What one decoder does not know, the other may.
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
  return [isSmall ? 2 : 1, ...(FOREIGN.has(format) ? [] : (['none'] as const))];
}

function admit(bytes: Uint8Array, maxPixels: number): PictureHeader {
  const header = readPictureHeader(bytes);
  if (!header) throw damagedFile('it is no picture, or does not say how large it is.');
  const { width, height } = header;
  if (width > MAX_SIDE || height > MAX_SIDE || width * height > maxPixels) {
    throw tooComplex(
      `The picture has ${width} x ${height} pixels; up to ${maxPixels / 1e6} million are read, and up to ${MAX_SIDE} on a side.`,
    );
  }
  return header;
}

async function readTwice(way: Means, picture: Picture, signal: AbortSignal): Promise<ReadPage> {
  const { engine, languages, installed } = way;
  const first = await engine.read({ ...picture, languages, layout: 'page' }, signal);
  if (certainty(first) >= UNSURE) return first;
  const looks = await engine.look(picture.bytes, signal);
  if (!looks) return certainty(first) > 0 ? first : engine.read({ ...picture, languages, layout: 'sparse' }, signal);
  const fitting = languagesFor(looks.script, languages, installed) ?? languages;
  if (!looks.isTurned && fitting.every((language) => languages.includes(language))) return first;
  const second = await engine.read({ ...picture, languages: fitting, layout: 'turned' }, signal);
  return certainty(second) > certainty(first) ? second : first;
}

const certainty = (page: ReadPage): number => confidenceOf(page.paragraphs.flat().flatMap(({ words }) => words));

/** In pixels of the picture as it was. */
function reduced(text: OcrText, scale: number): OcrText {
  const blocks = text.blocks.map((block) => ({ ...block, lineHeight: block.lineHeight / scale }));
  return { ...text, blocks, width: text.width / scale, height: text.height / scale };
}

const unsupported = (message: string): ServiceError => new ServiceError('SCRAPE_UNSUPPORTED_FILE_ERROR', { message });

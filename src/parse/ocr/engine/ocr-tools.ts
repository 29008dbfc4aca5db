// What pictures can be read with here: the tesseract of the machine with the languages that it has, else the one that comes along.
import { chosenProgram } from '../../../util/find-program.ts';
import type { OcrSettings } from '../ocr-settings.ts';
import { MAX_PIXELS, MAX_PIXELS_BUNDLED } from '../picture/picture-limits.ts';
import { BUNDLED_LANGUAGE, bundledEngine } from './bundled-tesseract.ts';
import type { OcrEngine } from './ocr-engine.ts';
import { createSystemEngine, listLanguages } from './system-tesseract.ts';

export interface Means {
  engine: OcrEngine;
  /** Those that were asked for and are there. */
  languages: readonly string[];
  installed: readonly string[];
  maxPixels: number;
}

/** One sentence where there is no way. */
export function findMeans({ program: chosen = 'auto', languages, searchPath }: OcrSettings): Means | string {
  if (chosen === 'off') return 'Text recognition is switched off (TRAWL_OCR=off).';
  const program = chosenProgram(chosen, ['tesseract'], searchPath);
  const installed = program === undefined ? undefined : listLanguages(program);
  if (chosen !== 'auto' && !installed) return 'TRAWL_OCR names a program that cannot be run.';
  const there = languages.filter((language) => installed?.includes(language));
  if (program !== undefined && installed && there.length > 0) {
    const engine = createSystemEngine(program, installed);
    return { engine, languages: there, installed, maxPixels: MAX_PIXELS };
  }
  if (languages.includes(BUNDLED_LANGUAGE)) {
    const only = [BUNDLED_LANGUAGE];
    return { engine: bundledEngine, languages: only, installed: only, maxPixels: MAX_PIXELS_BUNDLED };
  }
  const packages = languages.map((language) => `tesseract-ocr-${language.replaceAll('_', '-')}`);
  return `No language of TRAWL_OCR_LANGUAGES (${languages.join(', ')}) is installed. Install ${packages.join(' ')}.`;
}

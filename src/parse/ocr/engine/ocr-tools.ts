// Finds the OCR engine to use: the installed tesseract if it has a requested language, else the bundled one.
import { chosenProgram } from '../../../runtime/programs/find-program.ts';
import type { OcrSettings } from '../ocr-settings.ts';
import { MAX_PIXELS, MAX_PIXELS_BUNDLED } from '../picture/picture-limits.ts';
import { BUNDLED_LANGUAGE, bundledEngine } from './bundled-tesseract.ts';
import type { OcrEngine } from './ocr-engine.ts';
import { createSystemEngine, listLanguages } from './system-tesseract.ts';

export interface OcrTools {
  engine: OcrEngine;
  /** The requested languages that are installed. */
  languages: readonly string[];
  installed: readonly string[];
  maxPixels: number;
}

/** A sentence on what is missing if OCR is not possible. */
export async function findOcrTools(settings: OcrSettings): Promise<OcrTools | string> {
  const { program: chosen = 'auto', languages, searchPath } = settings;
  if (chosen === 'off') return 'Text recognition is disabled (TRAWL_OCR=off).';
  const program = chosenProgram(chosen, ['tesseract'], searchPath);
  const installed = program === undefined ? undefined : await listLanguages(program);
  if (chosen !== 'auto' && !installed) return 'The program set in TRAWL_OCR cannot be run.';
  const available = languages.filter((language) => installed?.includes(language));
  if (program !== undefined && installed && available.length > 0) {
    const engine = createSystemEngine(program, installed);
    return { engine, languages: available, installed, maxPixels: MAX_PIXELS };
  }
  if (languages.includes(BUNDLED_LANGUAGE)) {
    const only = [BUNDLED_LANGUAGE];
    return { engine: bundledEngine, languages: only, installed: only, maxPixels: MAX_PIXELS_BUNDLED };
  }
  const packages = languages.map((language) => `tesseract-ocr-${language.replaceAll('_', '-')}`);
  return `None of the TRAWL_OCR_LANGUAGES (${languages.join(', ')}) is installed. Install ${packages.join(' ')}.`;
}

// The bundled tesseract (WebAssembly), for machines without one: English only, slower, needs no network.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PSM, Worker } from 'tesseract.js';
import { raceAbort } from '../../../util/abort.ts';
import { damagedFile } from '../../parse-errors.ts';
import { readHocr } from './hocr.ts';
import type { OcrEngine } from './ocr-engine.ts';

/** The only language whose data is bundled. */
export const BUNDLED_LANGUAGE = 'eng';
const PAGE_MODES = { page: '3', rotated: '3', sparse: '11' };

export const bundledEngine: OcrEngine = {
  async read({ bytes, dpi, layout }, signal) {
    const worker = await raceAbort(startWorker(), signal);
    try {
      await worker.setParameters({
        tessedit_pageseg_mode: PAGE_MODES[layout] as PSM,
        ...(dpi !== undefined && { user_defined_dpi: String(Math.round(dpi)) }),
      });
      const reading = worker.recognize(Buffer.from(bytes), {}, { hocr: true, text: false });
      const { data } = await raceAbort(reading, signal);
      return readHocr(data.hocr ?? '');
    } catch (error) {
      signal.throwIfAborted();
      throw damagedFile('The picture cannot be decoded.', error);
    } finally {
      // Frees the thread and its memory, which only grows; the next picture gets a new one.
      await worker.terminate();
    }
  },
  detectScript: async () => undefined,
};

async function startWorker(): Promise<Worker> {
  const { createWorker, OEM } = await import('tesseract.js');
  const data = dirname(fileURLToPath(import.meta.resolve('@tesseract.js-data/eng/package.json')));
  return createWorker(BUNDLED_LANGUAGE, OEM.LSTM_ONLY, {
    langPath: join(data, '4.0.0_best_int'),
    gzip: true,
    cacheMethod: 'none',
    // Without this, a picture that cannot be decoded causes an uncaught error.
    errorHandler() {},
  });
}

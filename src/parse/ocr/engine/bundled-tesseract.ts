// The tesseract that comes along as WebAssembly, for machines that have none: English only, slower, and without any network.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PSM, Worker } from 'tesseract.js';
import { raceAbort } from '../../../util/abort.ts';
import { damagedFile } from '../../parse-errors.ts';
import { readHocr } from './hocr.ts';
import type { OcrEngine } from './ocr-engine.ts';

/** The only language whose data comes along. */
export const BUNDLED_LANGUAGE = 'eng';
const LAYOUTS = { page: '3', turned: '3', sparse: '11' };

export const bundledEngine: OcrEngine = {
  async read({ bytes, dpi, layout }, signal) {
    const worker = await raceAbort(startWorker(), signal);
    try {
      await worker.setParameters({
        tessedit_pageseg_mode: LAYOUTS[layout] as PSM,
        ...(dpi !== undefined && { user_defined_dpi: String(Math.round(dpi)) }),
      });
      const reading = worker.recognize(Buffer.from(bytes), {}, { hocr: true, text: false });
      const { data } = await raceAbort(reading, signal);
      return readHocr(data.hocr ?? '');
    } catch (error) {
      signal.throwIfAborted();
      throw damagedFile('the picture cannot be decoded.', error);
    } finally {
      // It is a thread with all its memory; the next picture gets a new one.
      await worker.terminate();
    }
  },
  look: async () => undefined,
};

async function startWorker(): Promise<Worker> {
  const { createWorker, OEM } = await import('tesseract.js');
  const data = dirname(fileURLToPath(import.meta.resolve('@tesseract.js-data/eng/package.json')));
  return createWorker(BUNDLED_LANGUAGE, OEM.LSTM_ONLY, {
    langPath: join(data, '4.0.0_best_int'),
    gzip: true,
    cacheMethod: 'none',
    // Without it, a picture that cannot be decoded would be an uncaught error.
    errorHandler() {},
  });
}

// Trawl's PDF parser without OCR.
import { parsePdf } from '../../src/parse/pdf/pdf.ts';

const NO_OCR = {
  unavailable: async () => 'OCR is not measured here.',
  read: () => Promise.reject(new Error('OCR is not measured here.')),
};

export async function toMarkdown(bytes: Buffer): Promise<string> {
  const pdf = { mode: 'fast', pages: false, blocks: false, pageMarkers: false } as const;
  const options = { pdf, deadline: Date.now() + 600_000 };
  const { body } = await parsePdf({ kind: 'pdf', name: 'document.pdf', bytes }, options, { ocr: NO_OCR });
  return 'markdown' in body ? body.markdown : '';
}

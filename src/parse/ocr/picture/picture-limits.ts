// Size limits for pictures and OCR reports.

export const MAX_PIXELS = 60_000_000;
/** Tesseract uses 16-bit coordinates. */
export const MAX_SIDE = 32_767;
/** For the bundled tesseract, whose memory is one block that only grows. */
export const MAX_PIXELS_BUNDLED = 25_000_000;
/** A page full of tiny letters yields a report of about 10 MB. */
export const MAX_REPORT_BYTES = 32 * 1024 * 1024;

// How large a picture may be.

export const MAX_PIXELS = 60_000_000;
/** Tesseract counts in 16 bits. */
export const MAX_SIDE = 32_767;
/** What the tesseract that comes along is given: its memory is one block that only grows. */
export const MAX_PIXELS_BUNDLED = 25_000_000;
/** The report on a page full of the smallest letters is some 10 MB. */
export const MAX_REPORT_BYTES = 32 * 1024 * 1024;

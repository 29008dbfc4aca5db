// OCR settings, as plain data because they are sent to parser processes.

export interface OcrSettings {
  /** `off`, the path of a tesseract, or `auto` (the default) to search for one. */
  program?: string;
  /** Tesseract language codes, most likely first. */
  languages: string[];
  /** Folders to search for programs, in the format of PATH. */
  searchPath: string;
  /** `off`, the path of an ffmpeg, or `auto` (the default). Prepares pictures and decodes what tesseract cannot. */
  ffmpeg?: string;
}

// What text recognition is told when it is made: plain data, since it passes to another process.

export interface OcrSettings {
  /** `off`, or the path of a tesseract; without it, or as `auto`, one is looked for. */
  program?: string;
  /** As tesseract names them, the most likely first. */
  languages: string[];
  /** Folders with programs, as in PATH. */
  searchPath: string;
  /** `off`, or the path of an ffmpeg, for pictures that tesseract cannot decode; without it, or as `auto`, one is looked for. */
  ffmpeg?: string;
}

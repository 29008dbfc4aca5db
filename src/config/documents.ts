// Settings for parsing files and for media: how many at once, and which installed programs are used.
import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { integer, list, megabytes, type Setting, setting, text } from './rules.ts';

/** Strict, because it becomes a program argument and part of a file name. */
const LANGUAGE = /^(script\/)?[A-Za-z][A-Za-z0-9_]*$/;

export const DOCUMENT_SETTINGS = {
  parseWorkers: setting(
    'TRAWL_PARSE_WORKERS',
    "the machine's cores",
    integer(availableParallelism(), 1, 256),
    'Number of processes that parse files (PDF, office, images, email) in parallel.',
  ),
  ocr: setting(
    'TRAWL_OCR',
    'auto',
    text('auto'),
    'How text in images is recognised. auto: by the tesseract found on this machine, else by the slower built-in one; off: not at all; or the path of a tesseract.',
  ),
  ocrLanguages: setting(
    'TRAWL_OCR_LANGUAGES',
    'eng',
    z
      .string()
      .transform(list)
      .pipe(
        z
          .array(z.string().regex(LANGUAGE, 'it must be a list of names like eng, deu, chi_sim'))
          .min(1, 'it must name a language')
          .max(8, 'it may name up to 8 languages'),
      )
      .default(() => ['eng']),
    'Languages of text in images, by their tesseract names. Other scripts are detected, and read if a language that uses them is installed (Debian: `tesseract-ocr-<name>`).',
  ),
  ffmpeg: setting(
    'TRAWL_FFMPEG',
    'auto',
    text('auto'),
    'Which ffmpeg processes audio, video and some image types. auto: one found on this machine; off: none; or the path of one.',
  ),
  ytDlp: setting(
    'TRAWL_YT_DLP',
    'auto',
    text('auto'),
    'Which yt-dlp downloads audio and video from the sites it supports. auto: one found on this machine; off: none; or the path of one.',
  ),
  maxMediaBytes: setting('TRAWL_MAX_MEDIA_MB', '500', megabytes(500), 'Maximum size of an audio or video file.'),
} satisfies Record<string, Setting<unknown>>;

// The settings of documents and media: how many are read at once, and which programs of the machine help with them.
import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { integer, list, megabytes, type Setting, setting, text } from './rules.ts';

/** It becomes an argument and part of a file name. */
const LANGUAGE = /^(script\/)?[A-Za-z][A-Za-z0-9_]*$/;

export const DOCUMENT_SETTINGS = {
  parseWorkers: setting(
    'TRAWL_PARSE_WORKERS',
    "the machine's cores",
    integer(availableParallelism(), 1, 256),
    'Processes that read documents (PDF, office, pictures, mail) at the same time.',
  ),
  ocr: setting(
    'TRAWL_OCR',
    'auto',
    text('auto'),
    'How text in pictures is read. auto: by the tesseract that is found on this machine, else by the slower one that comes along; off: not at all; else the path of a tesseract.',
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
    'Languages of text in pictures, as tesseract names them. Other scripts are recognised, and read where a language of theirs is installed (Debian: `tesseract-ocr-<name>`).',
  ),
  ffmpeg: setting(
    'TRAWL_FFMPEG',
    'auto',
    text('auto'),
    'auto: the ffmpeg that is found on this machine, for audio, video and some kinds of pictures; off: none; else the path of one.',
  ),
  ytDlp: setting(
    'TRAWL_YT_DLP',
    'auto',
    text('auto'),
    'auto: the yt-dlp that is found on this machine, for audio and video of the sites that it knows; off: none; else the path of one.',
  ),
  maxMediaBytes: setting('TRAWL_MAX_MEDIA_MB', '500', megabytes(500), 'Largest audio or video file.'),
} satisfies Record<string, Setting<unknown>>;

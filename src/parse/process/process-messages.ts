// Messages between the service and a parser process. It handles one file at a time, so messages need no ids.
import type { ErrorCode } from '../../contracts/errors/errors.ts';
import type { ParsedFile, ParseOptions, SourceFile } from '../../page/parsed.ts';
import type { OcrSettings } from '../ocr/ocr-settings.ts';
import type { ProcessLimits } from '../parse-limits.ts';

export interface ParserRequest {
  file: SourceFile;
  options: ParseOptions;
  ocr: OcrSettings;
  limits: Pick<ProcessLimits, 'outputLength' | 'warnings'>;
}

/** As it is sent: the clock of the process may show another time, so it is told how much is left. */
export type SentRequest = Omit<ParserRequest, 'options'> & {
  options: Omit<ParseOptions, 'deadline'>;
  leftMs: number;
};

/** The first message reports that the process is ready. */
export type ParserMessage = { ready: true } | (ParserAnswer & { /** Bytes in use. */ memory: number });

/** `isOver`: an uncaught error; the process exits after this message. */
export type ParserAnswer = { parsed: ParsedFile } | { problem: ParserProblem; isOver?: true };

export interface ParserProblem {
  code: ErrorCode;
  message: string;
  /** What was thrown, for the log. */
  cause?: string;
}

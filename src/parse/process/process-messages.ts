// What passes between the service and a parser process. One document at a time, so nothing is numbered.
import type { ErrorCode } from '../../contracts/errors.ts';
import type { DocumentFile, DocumentOptions, ParsedDocument } from '../../contracts/parsed.ts';
import type { OcrSettings } from '../ocr/ocr-settings.ts';
import type { ProcessLimits } from '../parse-limits.ts';

export interface ReadRequest {
  file: DocumentFile;
  options: DocumentOptions;
  ocr: OcrSettings;
  limits: Pick<ProcessLimits, 'outputLength' | 'warnings'>;
}

/** The first message says that the process has come up. */
export type ProcessMessage = { ready: true } | (Answer & { /** That it holds now, in bytes. */ memory: number });

/** After a problem that was met out of turn it is over. */
export type Answer = { parsed: ParsedDocument } | { problem: Problem; isOver?: true };

export interface Problem {
  code: ErrorCode;
  message: string;
  /** For the log: what was thrown. */
  cause?: string;
}

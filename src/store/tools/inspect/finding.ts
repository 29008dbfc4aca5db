// What a check of the installation found. `skipped`: it could not be made, and the text says why.

export interface InspectionFinding {
  check: string;
  state: 'ok' | 'warn' | 'fail' | 'skipped';
  /** What was found. */
  text: string;
  /** What to do about it. */
  todo?: string;
}

/** From an error text that says what happened, and in further sentences what to do. */
export function failure(check: string, sentences: string): InspectionFinding {
  const [, text = sentences, todo] = /^(.+?)\.\s+(?=[A-Z])(.+)$/s.exec(sentences) ?? [];
  return { check, state: 'fail', text, ...(todo !== undefined && { todo }) };
}

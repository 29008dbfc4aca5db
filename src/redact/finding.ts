// A span of text to redact. Rules and the token classifier report the same type.
import type { RedactedEntity, RedactionMode } from '../contracts/scrape/redaction.ts';

export interface Finding {
  /** UTF-16 offsets; `end` is exclusive. */
  start: number;
  end: number;
  entity: RedactedEntity;
  /** The name of the rule, such as `iban` or `github-token`; `classifier` for the token classifier. */
  rule: string;
  /** How certain the rule is, 0 to 1. Compared with the threshold of the mode. */
  score: number;
}

export interface RuleOptions {
  mode: RedactionMode;
  /** Absent: all. */
  entities?: readonly RedactedEntity[] | undefined;
  /** Two-letter code of the text's language. Detected if absent. */
  language?: string | undefined;
  /** Two-letter code of the country whose phone numbers and identity numbers are expected. */
  country?: string | undefined;
}

/** Findings below the threshold of the mode are dropped. */
export const MIN_SCORE: Readonly<Record<RedactionMode, number>> = { fast: 0.5, accurate: 0.5, aggressive: 0.3 };

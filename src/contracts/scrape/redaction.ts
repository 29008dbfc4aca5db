// What redactPII can find, how thoroughly it looks, and what it writes instead.

export const REDACTED_ENTITIES = ['PERSON', 'EMAIL', 'PHONE', 'LOCATION', 'FINANCIAL', 'SECRET'] as const;
export type RedactedEntity = (typeof REDACTED_ENTITIES)[number];

export const REDACTION_MODES = ['accurate', 'aggressive', 'fast'] as const;
export type RedactionMode = (typeof REDACTION_MODES)[number];

export const REPLACE_STYLES = ['tag', 'mask', 'remove'] as const;
export type ReplaceStyle = (typeof REPLACE_STYLES)[number];

export interface RedactionOptions {
  mode: RedactionMode;
  replaceStyle: ReplaceStyle;
  /** Absent: all. */
  entities?: readonly RedactedEntity[] | undefined;
}

/** What the option `redactPII` of a request asks for; undefined if nothing is to be redacted. */
export function redactionOptions(asked: boolean | RedactionOptions): RedactionOptions | undefined {
  if (asked === false) return undefined;
  if (asked === true) return { mode: 'accurate', replaceStyle: 'tag' };
  const { mode, replaceStyle, entities } = asked;
  // An empty list names no restriction: nothing is returned unredacted by mistake.
  return { mode, replaceStyle, ...(entities && entities.length > 0 && { entities }) };
}

/** Whether the classifier is needed, which finds persons and places. */
export const needsClassifier = ({ mode, entities }: RedactionOptions): boolean =>
  mode !== 'fast' && (!entities || entities.includes('PERSON') || entities.includes('LOCATION'));

// What redactPII can find, how thoroughly it looks, and what it writes instead.

export const REDACTED_ENTITIES = ['PERSON', 'EMAIL', 'PHONE', 'LOCATION', 'FINANCIAL', 'SECRET'] as const;
export type RedactedEntity = (typeof REDACTED_ENTITIES)[number];

export const REDACTION_MODES = ['accurate', 'aggressive', 'fast'] as const;
export type RedactionMode = (typeof REDACTION_MODES)[number];

export const REPLACE_STYLES = ['tag', 'mask', 'remove'] as const;
export type ReplaceStyle = (typeof REPLACE_STYLES)[number];

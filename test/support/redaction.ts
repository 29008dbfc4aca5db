// Texts with marks around what is to be found: "Write to ⟦jane@example.org⟧".
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { RedactedEntity, RedactionMode } from '../../src/contracts/scrape/redaction.ts';
import { findByRules } from '../../src/redact/find-by-rules.ts';

export interface FindingCase {
  entity: RedactedEntity;
  language?: string;
  country?: string;
  mode?: RedactionMode;
}

/** Fails unless exactly the marked parts are found as this entity. */
export function expectFound(marked: string, { entity, mode = 'fast', ...options }: FindingCase): void {
  const text = marked.replace(/[⟦⟧]/g, '');
  const expected = [...marked.matchAll(/⟦([^⟧]+)⟧/g)].map((match) => match[1]);
  const found = findByRules(text, { mode, entities: [entity], ...options });
  assert.deepEqual(
    found.map(({ start, end }) => text.slice(start, end)),
    expected,
    marked,
  );
}

/** Letters and digits that look random and are always the same. Nothing that a scanner takes for a leak stands in the tests. */
export function randomText(length: number, alphabet: string, salt = ''): string {
  let text = '';
  for (let block = 0; text.length < length; block++) {
    const bytes = createHash('sha256').update(`${salt}${block}`).digest();
    for (const byte of bytes) text += alphabet[byte % alphabet.length];
  }
  return text.slice(0, length);
}

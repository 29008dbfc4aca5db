// Writes a text without what was found: a tag, asterisks of the same length, or nothing.
import type { ReplaceStyle } from '../contracts/redaction.ts';
import type { Finding } from './finding.ts';
import { applyEdits, editsOf, plainView } from './views/text-view.ts';

/** Findings are sorted and disjoint, as `resolveOverlaps` returns them. */
export const replaceFindings = (text: string, findings: readonly Finding[], style: ReplaceStyle): string =>
  applyEdits(text, editsOf(plainView(text), findings, style));

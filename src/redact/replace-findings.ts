// Writes a text without what was found: a tag, asterisks of the same length, or nothing.
import type { ReplaceStyle } from '../contracts/redaction.ts';
import type { Finding } from './finding.ts';

/** Findings are sorted and disjoint, as `resolveOverlaps` returns them. */
export function replaceFindings(text: string, findings: readonly Finding[], style: ReplaceStyle): string {
  if (findings.length === 0) return text;
  const parts: string[] = [];
  let position = 0;
  for (const finding of findings) {
    parts.push(text.slice(position, finding.start));
    position = finding.end;
    if (style === 'tag') parts.push(`<${finding.entity}>`);
    // Line breaks stay, so that a masked block keeps its lines.
    else if (style === 'mask') parts.push(text.slice(finding.start, finding.end).replace(/[^\r\n]/g, '*'));
    else if (leavesDoubleSpace(text, finding)) position++;
  }
  parts.push(text.slice(position));
  return parts.join('');
}

function leavesDoubleSpace(text: string, { start, end }: Finding): boolean {
  return text[end] === ' ' && (start === 0 || /[ \n]/.test(text[start - 1]!));
}

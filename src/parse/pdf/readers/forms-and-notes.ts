// What is on a page beside its text: the values that forms were filled in with, and notes that readers left.
import type { DocumentAnnotation, FormField, ParsedPage } from '@llamaindex/liteparse';
import type { Box, Part } from '../page-parts.ts';
import { repairText } from '../repair-text.ts';

const MOST = 500;
// Links stand in the text already, and the widgets of forms are their fields.
const NOTES = ['Text', 'FreeText', 'Highlight', 'Underline', 'StrikeOut', 'Squiggly', 'Caret'];

export function extrasOf(page: ParsedPage): Part[] {
  const fields = (page.formFields ?? []).slice(0, MOST).flatMap(fieldOf);
  const notes = (page.annotations ?? []).slice(0, MOST).flatMap(noteOf);
  return [...fields, ...notes];
}

function fieldOf({ type, name, alternateName, value, checked, rect }: FormField): Part[] {
  const label = repairText(alternateName || name || '');
  if (/push|signature/i.test(type)) return [];
  if (/check|radio/i.test(type)) return checked && label ? [item(`${label}: ✓`, rect)] : [];
  const text = repairText(value ?? '');
  if (text === '') return [];
  return [item(label === '' ? text : `${label}: ${text}`, rect)];
}

function noteOf({ subtype, contents, title, rect }: DocumentAnnotation): Part[] {
  const text = repairText(contents ?? '');
  if (!NOTES.some((note) => note.toLowerCase() === subtype.toLowerCase()) || text === '') return [];
  const author = repairText(title ?? '');
  return [item(author === '' ? text : `${author}: ${text}`, rect)];
}

const item = (text: string, box: Box | undefined): Part => ({
  kind: 'list',
  text,
  level: 0,
  marker: '-',
  bold: false,
  italic: false,
  size: 0,
  box,
});

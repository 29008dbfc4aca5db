// Filled-in form fields and readers' annotations of a page, as list items.
import type { DocumentAnnotation, FormField, ParsedPage } from '@llamaindex/liteparse';
import type { Box, PagePart } from '../page-parts.ts';
import { repairText } from '../repair-text.ts';

const MAX_ITEMS = 500;
// Links are already in the text, and widgets are the form fields.
const NOTE_TYPES = ['Text', 'FreeText', 'Highlight', 'Underline', 'StrikeOut', 'Squiggly', 'Caret'];

export function formsAndNotes(page: ParsedPage): PagePart[] {
  const fields = (page.formFields ?? []).slice(0, MAX_ITEMS).flatMap(fieldOf);
  const notes = (page.annotations ?? []).slice(0, MAX_ITEMS).flatMap(noteOf);
  return [...fields, ...notes];
}

function fieldOf({ type, name, alternateName, value, checked, rect }: FormField): PagePart[] {
  const label = repairText(alternateName || name || '');
  if (/push|signature/i.test(type)) return [];
  if (/check|radio/i.test(type)) return checked && label ? [item(`${label}: ✓`, rect)] : [];
  const text = repairText(value ?? '');
  if (text === '') return [];
  return [item(label === '' ? text : `${label}: ${text}`, rect)];
}

function noteOf({ subtype, contents, title, rect }: DocumentAnnotation): PagePart[] {
  const text = repairText(contents ?? '');
  if (!NOTE_TYPES.some((note) => note.toLowerCase() === subtype.toLowerCase()) || text === '') return [];
  const author = repairText(title ?? '');
  return [item(author === '' ? text : `${author}: ${text}`, rect)];
}

const item = (text: string, box: Box | undefined): PagePart => ({
  kind: 'list',
  text,
  level: 0,
  marker: '-',
  bold: false,
  italic: false,
  size: 0,
  box,
});

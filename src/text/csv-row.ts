// A row of CSV (RFC 4180) that no spreadsheet takes for a formula.

export const csvRow = (values: readonly unknown[]): string => `${values.map(csvCell).join(',')}\r\n`;

const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

export function csvCell(value: unknown): string {
  if (typeof value === 'number') return String(value);
  const text = harmless(textOf(value));
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  const isList = Array.isArray(value) && value.every((item) => typeof item === 'string');
  return isList ? value.join('\n') : JSON.stringify(value);
}

// Also in the wide forms of East Asian keyboards, which some spreadsheets accept.
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** Pages wrote these texts: a spreadsheet would run one that begins like a formula. Few readers accept a zero byte. */
function harmless(text: string): string {
  const readable = text.replaceAll('\0', '');
  return FORMULA.test(readable) ? `'${readable}` : readable;
}

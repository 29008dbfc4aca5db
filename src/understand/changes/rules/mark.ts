// The sign that stands in front of the kind of what was masked. No page text keeps it.
export const MARK = '\u25cc';

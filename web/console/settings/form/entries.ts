// Lists as people type them: an entry a line, or with commas and spaces between them.

export const entriesOf = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\s,;]+/)
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  ),
];

export const textOf = (entries: readonly string[] = []): string => entries.join('\n');

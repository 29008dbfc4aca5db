// The prompt that chooses lines of a page for a question. The model returns numbers only; the text is taken from the page.

export const CHOOSE_LINES = [
  'Choose the lines of the page in <page> that are the best passages for the request in <question>.',
  'Each line starts with its number in square brackets. Return the numbers in `lines`: the fewest that say everything the page has about it, at most twelve.',
  'Prefer lines that make sense by themselves to headings. If no line fits, return an empty list.',
].join('\n');

export const LINES_SCHEMA = {
  type: 'object',
  properties: { lines: { type: 'array', items: { type: 'integer' } } },
  required: ['lines'],
  additionalProperties: false,
};

/** Undefined if the model did not answer in this form. */
export function readLines(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  const lines = typeof value === 'object' && value !== null ? (value as { lines?: unknown }).lines : undefined;
  return Array.isArray(lines) ? lines : undefined;
}

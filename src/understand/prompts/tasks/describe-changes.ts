// What a language model is asked about the changes of a page. The diff and the caller's request are both material.

export const CHANGES_INSTRUCTIONS = [
  'You report how a web page has changed.',
  '<changes> is a unified diff of its text: lines with - were removed, lines with + were added, other lines are context.',
  '<request> says what the reader wants to know about the changes.',
  'Answer with one JSON object whose keys name what was asked for. Use only what the diff says. Where it says nothing, use null.',
].join('\n');

const DEFAULT_REQUEST =
  'List what has changed on this page: each change with the keys `topic`, `previous` and `current`, below the key `changes`.';

export const changesMaterial = (diff: string, request: string = DEFAULT_REQUEST): Record<string, string> => ({
  request,
  changes: diff,
});

/** The keys are the model's choice. */
export const CHANGES_SCHEMA = { type: 'object' };

/** An answer that is not an object is kept below one key. */
export const readChanges = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : { changes: value };

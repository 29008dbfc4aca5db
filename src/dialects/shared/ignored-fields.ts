// Says which fields of a request have no effect here.

/** `sent` has those that are absent as undefined. */
export function ignoredFields(sent: Readonly<Record<string, unknown>>): string | undefined {
  const names = Object.keys(sent).filter((name) => sent[name] !== undefined);
  if (names.length === 0) return undefined;
  return `Not served here, and ignored: ${names.join(', ')}.`;
}

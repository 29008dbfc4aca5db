// The details of an audit event in one line.

export const detailsInWords = (details: Readonly<Record<string, string | number | boolean>>): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ');

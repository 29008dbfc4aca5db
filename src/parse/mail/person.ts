// People as mails show them.

/** `Ann Example <ann@example.org>`, or whichever of both there is. */
export function person(name: string, address: string): string {
  const shown = oneLine(name).replace(/^'(.*)'$/, '$1');
  if (shown === '' || shown === address) return address;
  return address === '' ? shown : `${shown} <${address}>`;
}

export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

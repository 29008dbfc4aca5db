// Resolves references inside an e-book.

/** The archive path of a reference; undefined if it points outside the book. */
export function resolveBookPath(reference: string, from: string): { path: string; fragment: string } | undefined {
  const url = URL.parse(reference, `http://book/${from.split('/').map(encodeURIComponent).join('/')}`);
  if (url === null || url.host !== 'book' || url.protocol !== 'http:') return undefined;
  return { path: decoded(url.pathname.slice(1)), fragment: decoded(url.hash.slice(1)) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

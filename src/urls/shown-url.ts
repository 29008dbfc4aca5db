// A URL as it may be shown: receivers of webhooks and collectors often have a secret in their address.

export const HIDDEN = '***';
/** Longer parts of a path may be secrets. */
const SECRET_SEGMENT = 20;
const MAX_LENGTH = 512;

/** Without user name, values of parameters, fragment, and long parts of the path. */
export function shownUrl(text: string): string {
  const { origin, pathname, searchParams } = new URL(text);
  const path = pathname.split('/').map((part) => (part.length >= SECRET_SEGMENT ? HIDDEN : part));
  const names = [...new Set(searchParams.keys())].map((name) => `${encodeURIComponent(name)}=${HIDDEN}`);
  return `${origin}${path.join('/')}${names.length > 0 ? `?${names.join('&')}` : ''}`.slice(0, MAX_LENGTH);
}

// Escapes text for HTML and XML.

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** For text and for values in double quotes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (found) => ESCAPES[found]!);

// Text of pages on its way to a terminal. Pages are hostile: an escape sequence could change the title, write to the
// clipboard, or hide what follows.

// Control characters except tab and line break, and those that reverse the order of what follows.
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

export const safeText = (text: string): string => text.replaceAll('\r\n', '\n').replaceAll(UNSAFE, '');

/** One line, for names and notes. */
export const safeLine = (text: string): string => safeText(text).replaceAll(/\s+/g, ' ').trim();

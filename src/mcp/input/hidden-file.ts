// Hidden files, which are not sent: a page that an assistant reads may talk it into sending a private file.
import { invalidArgument } from './invalid-argument.ts';

/** `path` is what the user wrote, `real` where it leads to, if that is known. */
export function refuseHidden(path: string, real = path): void {
  if (!real.split(/[/\\]/).some((part) => /^\.(?!\.?$)/.test(part))) return;
  throw invalidArgument(
    `${path} is hidden, or in a hidden folder, where programs keep keys and settings. Such files are not sent. Copy the file elsewhere if it is a document.`,
  );
}

// A flag as parsing, help and completion see it, whether it comes from a contract, from a command or from the program.
import type { Flag } from '../command.ts';

export interface ResolvedFlag extends Flag {
  /** Without dashes: `only-main-content`, `location.country`. */
  name: string;
  /** Where its value belongs in the body of the call. Absent: it is for the command itself. */
  path?: readonly string[];
  /** Stands without a value, then means true; `--no-...` means false. */
  isSwitch: boolean;
  /** Values that are not JSON count as text. */
  acceptsText?: boolean;
  /** Entries of the list may be JSON objects. */
  acceptsObjects?: boolean;
  /** A field of an object that is a flag itself. */
  isNested?: boolean;
  /** Every command has it. */
  isGeneral?: boolean;
}

export const kebabCase = (name: string): string =>
  name
    // `URLs` is one word.
    .replaceAll(/([A-Z])([A-Z]+s)(?![a-z])/g, (_, first: string, rest: string) => first + rest.toLowerCase())
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase();

// Gives each page of an archive a path of its own, also for systems where case does not count.
import { sha256 } from '../../util/hash.ts';
import { pagePath } from './page-path.ts';

export interface FreePaths {
  /** A path without ending that no other page has. */
  take(address: string): string;
}

/** As many hexadecimal digits as a number holds exactly. */
const HASH_DIGITS = 13;

/** `reserved` are paths that no page gets. */
export function createFreePaths(...reserved: string[]): FreePaths {
  // Hashes take a tenth of the memory of names. Two names with the same hash only get a number that they would not need.
  const taken = new Map(reserved.map((path) => [keyOf(path), 1]));
  const isFree = (path: string): boolean => {
    const key = keyOf(path);
    if (taken.has(key)) return false;
    taken.set(key, 1);
    return true;
  };
  return {
    take(address) {
      const { path, other } = pagePath(address);
      if (isFree(path)) return path;
      if (isFree(other)) return other;
      // The same page twice, as a batch may have it.
      const key = keyOf(other);
      for (let number = taken.get(key)! + 1; ; number += 1) {
        taken.set(key, number);
        if (isFree(`${other}-${number}`)) return `${other}-${number}`;
      }
    },
  };
}

/** Equal for names that a file system may take for the same. */
const keyOf = (path: string): number =>
  Number.parseInt(sha256(path.normalize('NFKC').toUpperCase().toLowerCase()).slice(0, HASH_DIGITS), 16);

// Credentials: keys and tokens of known services by their form, private keys, and values that their context gives away.
import { lazy } from '../../util/lazy.ts';
import type { Finding } from '../finding.ts';
import { findAssignedSecrets } from './assigned-secrets.ts';
import { entropy, isWritten } from './placeholders.ts';
import { findPrivateKeys } from './private-keys.ts';
import { SECRET_KINDS } from './secret-kinds.ts';

/** Keys are random: 16 characters of them have more than this, words and repeated letters less. */
const MIN_ENTROPY = 2.8;

const searches = lazy(() =>
  SECRET_KINDS.map(([rule, pattern]) => ({
    rule,
    search: new RegExp(`(?<![A-Za-z0-9_-])(?:${pattern.source})(?![A-Za-z0-9_])`, 'g'),
  })),
);

export const findSecrets = (text: string): Finding[] => [
  ...findKnownKinds(text),
  ...findPrivateKeys(text),
  ...findAssignedSecrets(text),
];

function findKnownKinds(text: string): Finding[] {
  return searches().flatMap(({ rule, search }) =>
    [...text.matchAll(search)].flatMap((match): Finding[] => {
      const secret = match[1] ?? match[0];
      if (!isRandom(secret)) return [];
      const start = match.index + match[0].lastIndexOf(secret);
      return [{ start, end: start + secret.length, entity: 'SECRET', rule, score: 0.95 }];
    }),
  );
}

/**
 * Slugs such as `sk-learn-pipelines-in-2024` have the form of keys, but consist of words. A known form outweighs a sequence in
 * it: `0123456789` may well be part of a real key.
 */
function isRandom(secret: string): boolean {
  if (isWritten(secret) || entropy(secret) < MIN_ENTROPY || !/\d/.test(secret)) return false;
  const parts = secret.split(/[-_]/);
  return parts.length === 1 || !parts.every((part) => /^(?:[a-z]{0,14}|\d{1,4})$/.test(part));
}

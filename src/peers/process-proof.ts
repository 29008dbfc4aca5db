// Proves that a row of the registry was written by a process that knows the secret. An attacker who can only write to the
// database must not be able to name a place to which callers' headers and profiles are sent.
import { createHmac } from 'node:crypto';
import type { ProcessRow } from '../store/ports/process-registry.ts';
import { isSameSecret } from '../util/hash.ts';

type Located = Pick<ProcessRow, 'id' | 'url'>;

export interface ProcessProofs {
  of(process: Located): string;
  isGood(row: Located & Pick<ProcessRow, 'proof'>): boolean;
}

export function createProcessProofs(secret: Uint8Array): ProcessProofs {
  const key = createHmac('sha256', secret).update('where processes are').digest();
  const proofOf = ({ id, url }: Located): string =>
    createHmac('sha256', key)
      .update(JSON.stringify([id, url]))
      .digest('base64url');
  return { of: proofOf, isGood: (row) => isSameSecret(row.proof, proofOf(row)) };
}

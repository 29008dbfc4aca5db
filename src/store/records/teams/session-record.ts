// What a session of the console was opened with, as rows hold it.
import type { SessionProof } from '../../console-session-store.ts';

export interface ProofColumns {
  openedWith: SessionProof['openedWith'];
  proof: string | null;
}

/** The use of a session is recorded at most this often. */
export const SESSION_USE_RESOLUTION_MS = 60_000;

export const proofText = (proof: SessionProof): string | null => {
  if (proof.openedWith === 'link') return null;
  return proof.openedWith === 'key' ? proof.keyHash : proof.proof;
};

export function readProof({ openedWith, proof }: ProofColumns): SessionProof {
  if (openedWith === 'key') return { openedWith, keyHash: proof ?? '' };
  return openedWith === 'link' ? { openedWith } : { openedWith, proof: proof ?? '' };
}

// Signs calls between processes with a key that is derived from their shared secret. A signature is for one call to one process,
// for a short time, and is accepted once.
import { createHmac } from 'node:crypto';
import type { Clock } from '../util/clock.ts';
import { isSameSecret, sha256 } from '../util/hash.ts';
import { randomToken } from '../util/ids.ts';

export const PEER_HEADER = 'x-trawl-peer';
/** Version of the calls themselves. A process refuses calls whose version it does not know. */
export const PEER_PROTOCOL = 1;

/** Newer processes may add to it: what is unknown is ignored. */
export interface PeerClaims {
  protocol: number;
  /** Ids of processes. */
  from: string;
  to: string;
  at: number;
  nonce: string;
  method: string;
  /** With its query. */
  path: string;
  /** SHA-256. */
  body: string;
  /** Address of the client, whose call this is. */
  address?: string;
}

export interface SignedCall {
  to: string;
  method: string;
  path: string;
  body?: string;
  address?: string;
}

export interface CallSignatures {
  sign(call: SignedCall): string;
  /** Everything but the body. Undefined for anything that is not a valid new signature of this call. */
  verify(header: string | undefined, call: { method: string; path: string }): PeerClaims | undefined;
}

const VALID_MS = 30_000;
const MAX_HEADER = 4_096;
/** More calls than that within their validity are refused, instead of forgetting one that could be sent again. */
const MAX_NONCES = 200_000;

export const isBodyOf = ({ body }: PeerClaims, given: string | Uint8Array): boolean => sha256(given) === body;

export function createCallSignatures(secret: Uint8Array, ownId: string, clock: Clock): CallSignatures {
  const key = createHmac('sha256', secret).update('calls between processes').digest();
  const macOf = (text: string) => createHmac('sha256', key).update(text).digest('base64url');
  const used = createUsedNonces(clock);

  return {
    sign({ to, method, path, body = '', address }) {
      const claims: PeerClaims = {
        ...{ protocol: PEER_PROTOCOL, from: ownId, to, at: clock.now(), nonce: randomToken(16) },
        ...{ method, path, body: sha256(body) },
        ...(address !== undefined && { address }),
      };
      const text = Buffer.from(JSON.stringify(claims)).toString('base64url');
      return `${text}.${macOf(text)}`;
    },
    verify(header, { method, path }) {
      if (header === undefined || header.length > MAX_HEADER) return undefined;
      const [text = '', mac = '', ...more] = header.split('.');
      if (more.length > 0 || !isSameSecret(mac, macOf(text))) return undefined;
      const claims = JSON.parse(Buffer.from(text, 'base64url').toString()) as PeerClaims;
      const isMeant = claims.to === ownId && claims.method === method && claims.path === path;
      if (!isMeant || claims.protocol !== PEER_PROTOCOL) return undefined;
      if (Math.abs(clock.now() - claims.at) > VALID_MS) return undefined;
      return used.add(claims.nonce, claims.at) ? claims : undefined;
    },
  };
}

/** Nonces in the order of their arrival, for as long as their signature could be valid. */
function createUsedNonces(clock: Clock) {
  const until = new Map<string, number>();
  return {
    add(nonce: string, at: number): boolean {
      for (const [old, end] of until) {
        if (end >= clock.now()) break;
        until.delete(old);
      }
      if (until.has(nonce) || until.size >= MAX_NONCES) return false;
      // In the order of their end or nearly so: what is kept longer than needed does no harm.
      until.set(nonce, Math.max(at, clock.now()) + VALID_MS);
      return true;
    },
  };
}

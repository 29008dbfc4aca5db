// Finds browser sessions that other processes have, and opens sockets to them.
import type { WebSocket } from 'ws';
import type { PeerClient } from '../net/peer-client.ts';
import type { SessionTokens } from '../sessions/session.ts';
import type { ProcessRow } from '../store/ports/process-registry.ts';
import type { SessionDirectory } from '../store/ports/session-directory.ts';
import type { Clock } from '../util/clock.ts';
import { type CallSignatures, PEER_HEADER } from './call-signature.ts';
import type { Membership } from './membership.ts';

type TokenKind = keyof SessionTokens;

export interface AwaySession {
  process: ProcessRow;
  /** What the token allows. */
  kind: TokenKind;
}

export interface AwaySessions {
  /** Undefined for a session of this process, and for one that nobody has. */
  findByToken(kinds: readonly TokenKind[], token: string): Promise<AwaySession | undefined>;
  /** The same address at the process that has the session, for the client with this address. */
  openSocket(away: AwaySession, path: string, address: string): WebSocket;
}

interface Deps {
  places: Pick<SessionDirectory, 'findByToken'>;
  hashToken(kind: TokenKind, token: string): string;
  membership: Pick<Membership, 'find'>;
  client: Pick<PeerClient, 'openSocket'>;
  signatures: Pick<CallSignatures, 'sign'>;
  clock: Clock;
}

export function createAwaySessions({ places, hashToken, membership, client, signatures, clock }: Deps): AwaySessions {
  return {
    async findByToken(kinds, token) {
      for (const kind of kinds) {
        const place = await places.findByToken(hashToken(kind, token), clock.now());
        const process = place && (await membership.find(place.processId));
        if (process) return { process, kind };
      }
      return undefined;
    },
    openSocket({ process: { id, url } }, path, address) {
      const header = signatures.sign({ to: id, method: 'GET', path, address });
      return client.openSocket(url, path, { [PEER_HEADER]: header });
    },
  };
}

// The public keys of agent providers. They are fetched with the first assertion, cached, and fetched again for a key id that
// is not known: at most once a minute, so that made-up ids cost nobody anything.
import { readFile } from 'node:fs/promises';
import type { JSONWebKeySet, JWTVerifyGetKey } from 'jose';
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { Egress } from '../../net/egress.ts';
import { readBodyStart } from '../../net/http/response-body.ts';
import type { Clock } from '../../util/clock.ts';
import { type AgentIssuer, isJwksUrl } from './agent-issuers.ts';

export interface IssuerKeys {
  /** The keys; `isStale` asks for newer ones than the last, if a minute has passed. Throws SOURCES_UNAVAILABLE. */
  of(issuer: AgentIssuer, isStale: boolean): Promise<JWTVerifyGetKey>;
}

interface Deps {
  egress: Pick<Egress, 'request'>;
  clock: Pick<Clock, 'now'>;
  /** Aborts when the service stops. */
  stopping: AbortSignal;
}

interface Entry {
  keys?: Promise<JWTVerifyGetKey>;
  readAt: number;
}

const FRESH_MS = 60 * 60_000;
const AGAIN_MS = 60_000;
const FETCH_MS = 5_000;
const MAX_BYTES = 256 * 1024;
const MAX_KEYS = 100;

export function createIssuerKeys(deps: Deps): IssuerKeys {
  // As many entries as the operator has set.
  const entries = new Map<string, Entry>();
  return {
    async of(issuer, isStale) {
      const now = deps.clock.now();
      const known = entries.get(issuer.issuer);
      // The clock may have been set back.
      const age = known ? Math.abs(now - known.readAt) : Number.POSITIVE_INFINITY;
      const isDue = age >= FRESH_MS || (isStale && age >= AGAIN_MS);
      if (known?.keys && !isDue) return known.keys;
      if (known && !known.keys && age < AGAIN_MS) throw unavailable(issuer);
      const entry: Entry = { readAt: now };
      entries.set(issuer.issuer, entry);
      entry.keys = readKeys(issuer, deps).catch((cause) => {
        // Old keys are better than none while the provider cannot be reached, also for those who ask in the meantime.
        if (known?.keys) return known.keys;
        entry.keys = undefined;
        throw unavailable(issuer, cause);
      });
      return entry.keys;
    },
  };
}

const unavailable = ({ issuer }: AgentIssuer, cause?: unknown) =>
  new ServiceError('SOURCES_UNAVAILABLE', {
    message: `The keys of the issuer ${issuer} could not be read. Try again in a minute.`,
    cause,
  });

async function readKeys({ jwks }: AgentIssuer, deps: Deps): Promise<JWTVerifyGetKey> {
  const text = isJwksUrl(jwks) ? await download(new URL(jwks), deps) : await readFile(jwks, 'utf8');
  const set = JSON.parse(text) as JSONWebKeySet;
  // Not the same as an empty list, which withdraws all keys.
  if (!Array.isArray(set?.keys)) throw new ServiceError('SOURCES_UNAVAILABLE', { message: 'This is not a JWKS.' });
  const keys = set.keys.filter(isPublicKey).slice(0, MAX_KEYS);
  const { createLocalJWKSet } = await import('jose');
  return createLocalJWKSet({ keys });
}

/** A secret key in the set would let everybody who can read it sign. */
const isPublicKey = (key: JSONWebKeySet['keys'][number]): boolean =>
  typeof key === 'object' && key !== null && key.kty !== 'oct' && key.d === undefined;

async function download(url: URL, { egress, stopping }: Deps): Promise<string> {
  const signal = AbortSignal.any([AbortSignal.timeout(FETCH_MS), stopping]);
  const headers = { accept: 'application/jwk-set+json, application/json' };
  const answer = await egress.request(
    { url, headers, route: 'operator', verifyTls: true, maxBytes: MAX_BYTES },
    signal,
  );
  if (answer.status !== 200) {
    answer.body.destroy();
    throw new ServiceError('SOURCES_UNAVAILABLE', { message: `${url.origin} answered ${answer.status}.` });
  }
  const { bytes } = await readBodyStart(answer.body, MAX_BYTES);
  return Buffer.from(bytes).toString('utf8');
}

// Verifies the identity assertion of an agent provider: an ID-JAG, which is a signed JWT. Who signed it is checked before
// anything that it says is believed, except for the name of the issuer, which says whose keys to check with.
import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { Clock } from '../../util/clock.ts';
import { sha256 } from '../../util/hash.ts';
import type { AgentIssuer } from './agent-issuers.ts';
import type { IssuerKeys } from './issuer-keys.ts';

export interface VerifiedAgent {
  issuer: AgentIssuer;
  /** Stands for the person at this issuer; nobody can read the person from it. */
  subject: string;
  /** Stands for this one assertion. */
  assertion: string;
  /** Until when the assertion could be used again, in milliseconds since 1970. */
  usableUntil: number;
}

export type VerifyAssertion = (assertion: string, audiences: readonly string[]) => Promise<VerifiedAgent>;

interface Deps {
  issuers: readonly AgentIssuer[];
  keys: IssuerKeys;
  clock: Pick<Clock, 'now'>;
}

const ALGORITHMS = ['RS256', 'ES256', 'EdDSA'];
const TYPE = 'oauth-id-jag+jwt';
const LONGEST_S = 5 * 60;
/** How far the clocks of a provider and of this machine may be apart. */
const SKEW_S = 60;
const MAX_ID = 1_000;

export const createVerifyAssertion =
  ({ issuers, keys, clock }: Deps): VerifyAssertion =>
  async (assertion, audiences) => {
    const jose = await import('jose');
    const claimed = issuerOf(assertion, jose.decodeJwt);
    const issuer = issuers.find((known) => known.issuer === claimed);
    if (!issuer) throw new ServiceError('issuer_not_enabled');
    const nowS = Math.floor(clock.now() / 1000);
    const verify = (getKey: JWTVerifyGetKey) =>
      jose.jwtVerify(assertion, getKey, {
        algorithms: ALGORITHMS,
        currentDate: new Date(nowS * 1000),
        clockTolerance: SKEW_S,
      });
    const verified = await verify(await keys.of(issuer, false))
      .catch(async (error) => {
        if (!(error instanceof jose.errors.JWKSNoMatchingKey)) throw error;
        return verify(await keys.of(issuer, true));
      })
      .catch((error) => {
        throw asRefusal(error, jose.errors);
      });
    if (verified.protectedHeader.typ?.toLowerCase().replace(/^application\//, '') !== TYPE)
      throw malformed(`The header \`typ\` of the assertion must be ${TYPE}.`);
    return checkClaims(verified.payload, { issuer, audiences, nowS });
  };

function issuerOf(assertion: string, decode: (jwt: string) => JWTPayload): string | undefined {
  try {
    return decode(assertion).iss;
  } catch {
    throw malformed('The assertion is not a signed JWT.');
  }
}

type JoseErrors = typeof import('jose').errors;

function asRefusal(error: unknown, { JWTExpired, JWTClaimValidationFailed, JOSEError }: JoseErrors): unknown {
  if (error instanceof JWTExpired) return new ServiceError('credential_expired');
  if (error instanceof JWTClaimValidationFailed)
    return malformed(`The claim \`${error.claim}\` of the assertion is not valid.`);
  // Errors of the key itself come from the platform, and of the way to the keys from us.
  if (error instanceof JOSEError || error instanceof TypeError) return new ServiceError('invalid_signature');
  return error;
}

interface Expected {
  issuer: AgentIssuer;
  audiences: readonly string[];
  nowS: number;
}

function checkClaims(claims: JWTPayload, { issuer, audiences, nowS }: Expected): VerifiedAgent {
  const { iss, sub, aud, exp, iat, jti } = claims;
  // Checked again: what was read before the signature could be something else.
  if (iss !== issuer.issuer) throw new ServiceError('issuer_not_enabled');
  if (!isAudience(aud, audiences)) throw new ServiceError('audience_mismatch');
  if (exp === undefined) throw malformed('The assertion needs `exp`.');
  if (typeof iat !== 'number') throw malformed('The assertion needs `iat`.');
  if (iat > nowS + SKEW_S) throw malformed('The `iat` of the assertion is in the future.');
  if (exp > nowS + LONGEST_S + SKEW_S || exp - iat > LONGEST_S + SKEW_S)
    throw malformed(`The assertion must expire within ${LONGEST_S / 60} minutes.`);
  if (!isId(sub)) throw malformed('The assertion needs `sub`.');
  if (!isId(jti)) throw malformed('The assertion needs `jti`.');
  checkPerson(claims, issuer.emailDomains);
  return {
    issuer,
    subject: sha256(JSON.stringify([iss, sub])),
    assertion: sha256(JSON.stringify([iss, jti])),
    usableUntil: (exp + 2 * SKEW_S) * 1000,
  };
}

/** One audience and no other: an assertion for two services could be used by each of them at the other. */
function isAudience(aud: unknown, audiences: readonly string[]): boolean {
  const only = Array.isArray(aud) && aud.length === 1 ? aud[0] : aud;
  return typeof only === 'string' && audiences.includes(only);
}

const isId = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= MAX_ID;

function checkPerson(claims: JWTPayload, domains: readonly string[]): void {
  const { email, email_verified, phone_number, phone_number_verified } = claims;
  const hasEmail = email_verified === true && isId(email);
  const hasPhone = phone_number_verified === true && isId(phone_number);
  if (!hasEmail && !hasPhone) throw new ServiceError('missing_verified_email');
  if (domains.length === 0) return;
  const domain = hasEmail ? email.slice(email.lastIndexOf('@') + 1).toLowerCase() : undefined;
  if (domain === undefined || !domains.includes(domain)) throw new ServiceError('access_denied');
}

const malformed = (message: string) => new ServiceError('invalid_request', { message });

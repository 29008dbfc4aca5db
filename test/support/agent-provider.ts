// An agent provider on loopback: signs identity assertions, and publishes its public keys as a JWKS.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK, type JWTHeaderParameters, SignJWT } from 'jose';

export interface AgentProvider {
  issuer: string;
  jwksUrl: string;
  /** How often its keys were fetched. */
  fetches(): number;
  jwks(): { keys: JWK[] };
  /** Later assertions are signed by a new key, which is published. */
  rotate(): Promise<void>;
  /** What is answered in place of its keys; undefined: its keys. */
  answerWith(answer: { status: number; text: string } | undefined): void;
  /** A valid assertion for `audience`, with these changes to claims and header. */
  sign(audience: string, claims?: Record<string, unknown>, header?: Partial<JWTHeaderParameters>): Promise<string>;
  stop(): Promise<void>;
}

type Algorithm = 'RS256' | 'ES256' | 'EdDSA' | 'PS256';

export async function startAgentProvider(algorithm: Algorithm = 'ES256'): Promise<AgentProvider> {
  let fetches = 0;
  let current = await makeKey(algorithm, 1);
  const published = [current.jwk];
  let replacement: { status: number; text: string } | undefined;
  const server = createServer((_request, response) => {
    fetches += 1;
    response.statusCode = replacement?.status ?? 200;
    response
      .setHeader('content-type', 'application/json')
      .end(replacement?.text ?? JSON.stringify({ keys: published }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    jwksUrl: `${issuer}/.well-known/jwks.json`,
    fetches: () => fetches,
    jwks: () => ({ keys: published }),
    async rotate() {
      current = await makeKey(algorithm, published.length + 1);
      published.push(current.jwk);
    },
    answerWith(answer) {
      replacement = answer;
    },
    sign(audience, claims = {}, header = {}) {
      const now = Math.floor(Date.now() / 1000);
      const valid = { iss: issuer, sub: 'person', aud: audience, jti: crypto.randomUUID(), iat: now, exp: now + 300 };
      const person = { email: 'person@example.org', email_verified: true };
      return new SignJWT({ ...valid, ...person, ...claims })
        .setProtectedHeader({ alg: algorithm, kid: current.jwk.kid!, typ: 'oauth-id-jag+jwt', ...header })
        .sign(current.privateKey);
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function makeKey(algorithm: Algorithm, number: number) {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true });
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid: `key-${number}`, alg: algorithm, use: 'sig' } };
}

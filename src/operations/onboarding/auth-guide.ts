// The page /auth.md: how an agent gets a key on this very server. It names only ways that the operator has enabled.
import { CREDENTIAL_TYPE, ID_JAG } from '../../contracts/onboarding/onboarding.ts';
import type { OpenAnswer, OpenCall } from '../call.ts';
import { AGENT_PATHS } from './discovery.ts';
import type { WaysIn } from './ways-in.ts';

export const authGuide = ({ ways }: { ways: WaysIn }, { baseUrl }: OpenCall<'authGuide'>): OpenAnswer => ({
  status: 200,
  body: writeAuthGuide(ways, baseUrl),
});

function writeAuthGuide(ways: WaysIn, baseUrl: string): string {
  const sections = ways.needsKey
    ? [
        'Requests carry a key: `Authorization: Bearer KEY`. This page says how to get one on this server.',
        ...(ways.keyless ? [keyless(ways.keyless)] : []),
        ...(ways.issuers.length > 0 ? [byAssertion(ways.issuers, baseUrl)] : []),
        ...(ways.anonymous ? [anonymous(ways.anonymous, baseUrl)] : []),
        ...(ways.issuers.length > 0 || ways.anonymous ? [revoking(baseUrl)] : [NOTHING_BY_ITSELF]),
        people(baseUrl),
      ]
    : ['This server needs no key. Send requests without `Authorization`.'];
  return `${['# How to get a key', ...sections, documents(baseUrl, ways.needsKey)].join('\n\n')}\n`;
}

const NOTHING_BY_ITSELF =
  '**Agents cannot get a key here by themselves.** Ask the person that you work for to get one as described below.';

const keyless = ({ requestsPerDay, creditsPerDay }: NonNullable<WaysIn['keyless']>): string =>
  `## Without a key

Search, scrape, parse, interact and feedback work without \`Authorization\`: up to ${requestsPerDay} requests and ${creditsPerDay} credits a day for each IPv4 address. After that the answer is 429 with \`reason\` and \`retry_after_seconds\`.`;

const byAssertion = (issuers: readonly string[], baseUrl: string): string =>
  `## With an identity assertion

Your provider can vouch for your user with an ID-JAG, a signed JWT. This server accepts those of:

${issuers.map((issuer) => `- ${issuer}`).join('\n')}

1. Ask the user for consent.
2. Ask your provider for an ID-JAG: \`typ\` oauth-id-jag+jwt, \`aud\` exactly \`${baseUrl}\`, \`exp\` at most five minutes ahead, a new \`jti\`, and \`email\` with \`email_verified: true\` (or \`phone_number\` with \`phone_number_verified: true\`).
3. Send it, once:

\`\`\`http
POST ${baseUrl}${AGENT_PATHS.register}
Content-Type: application/json

{"type": "identity_assertion", "assertion_type": "${ID_JAG}", "assertion": "eyJ...", "requested_credential_type": "${CREDENTIAL_TYPE}"}
\`\`\`

The answer has the key in \`credential\`, when it expires in \`credential_expires\` (null: never), and what it may do in \`scopes\`. Store it: it is not shown again. The next assertion for the same user gives another key; of more than five, the oldest stops working.

Errors are \`{"error", "error_description"}\`: \`issuer_not_enabled\`, \`invalid_signature\`, \`audience_mismatch\`, \`credential_expired\`, \`replay_detected\`, \`missing_verified_email\`, \`unsupported_credential_type\`, \`rate_limited\`.`;

const anonymous = ({ creditsPerMonth, days }: NonNullable<WaysIn['anonymous']>, baseUrl: string): string =>
  `## Without an identity

\`\`\`http
POST ${baseUrl}${AGENT_PATHS.register}
Content-Type: application/json

{"type": "anonymous", "requested_credential_type": "${CREDENTIAL_TYPE}"}
\`\`\`

The key in \`credential\` can scrape, search and map, for ${creditsPerMonth} credits a month, and expires after ${days} days. To keep it and to lift its limits, ask for approval:

\`\`\`http
POST ${baseUrl}${AGENT_PATHS.claim}
Content-Type: application/json

{"claim_token": "clm_...", "email": "the person you work for"}
\`\`\`

The operator of this server decides. Send the same request again to see whether \`status\` has become \`claimed\`. The key stays the same.`;

const revoking = (baseUrl: string): string =>
  `## Giving a key back

\`POST ${baseUrl}${AGENT_PATHS.revoke}\` with \`{"token": "fc-..."}\` ends a key that was issued as described above. The answer is the same whether there was such a key or not.`;

const people = (baseUrl: string): string =>
  `## Through a person

- On the command line: \`firecrawl login --web-url ${baseUrl}\` opens a page on which a person approves.
- The operator creates a key on the server with \`trawl keys add\`.`;

const documents = (baseUrl: string, needsKey: boolean): string =>
  `## For programs

${needsKey ? `- ${baseUrl}/.well-known/oauth-protected-resource\n- ${baseUrl}/.well-known/oauth-authorization-server (\`agent_auth\`)\n` : ''}- ${baseUrl}/v2/openapi.json`;

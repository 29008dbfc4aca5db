// How somebody without a key gets one: the documents that say so, the registration of agents, and the login of the command
// line.
import { z } from 'zod';
import { nameText } from '../bounds.ts';
import { KEY_GROUPS, keyLimits } from '../team/policy.ts';

export const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';
export const CREDENTIAL_TYPE = 'api_key';
export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource';

const url = z.string();

/** RFC 9728. */
export const protectedResource = z.lazy(() =>
  z.object({
    resource: url,
    resource_name: z.string(),
    resource_documentation: url,
    authorization_servers: z.array(url),
    scopes_supported: z.array(z.enum(KEY_GROUPS)),
    bearer_methods_supported: z.tuple([z.literal('header')]),
  }),
);

const credentialTypes = z.object({ credential_types_supported: z.tuple([z.literal(CREDENTIAL_TYPE)]) });

/** RFC 8414, with the part `agent_auth` of auth.md. There is no token endpoint: agents get keys. */
export const authorizationServer = z.lazy(() =>
  z.object({
    issuer: url,
    resource: url,
    authorization_servers: z.array(url),
    scopes_supported: z.array(z.enum(KEY_GROUPS)),
    bearer_methods_supported: z.tuple([z.literal('header')]),
    response_types_supported: z.tuple([]),
    grant_types_supported: z.tuple([]),
    service_documentation: url,
    agent_auth: z.object({
      skill: url,
      register_uri: url,
      claim_uri: url.optional(),
      revocation_uri: url,
      identity_types_supported: z.array(z.enum(['identity_assertion', 'anonymous'])),
      identity_assertion: credentialTypes
        .extend({ assertion_types_supported: z.tuple([z.literal(ID_JAG)]) })
        .optional(),
      anonymous: credentialTypes.optional(),
    }),
  }),
);

/** A signed assertion has a few hundred characters. Those with an RSA signature and many claims have a few thousand. */
const MAX_ASSERTION = 12_000;
export const AGENT_BODY_BYTES = 16_384;

export const agentAuthRequest = z.object({
  type: z.enum(['identity_assertion', 'anonymous']).describe('How the agent is known.'),
  assertion_type: nameText.optional().describe(`With an assertion: ${ID_JAG}.`),
  assertion: z.string().max(MAX_ASSERTION).optional().describe('The signed ID-JAG of the agent provider.'),
  requested_credential_type: nameText.optional().describe(`${CREDENTIAL_TYPE}, which is also the default.`),
});
export type AgentAuthRequest = z.output<typeof agentAuthRequest>;

const time = z.string().describe('ISO 8601.');

export const agentAuthResponse = z.lazy(() =>
  z.object({
    registration_id: z.string(),
    registration_type: z.enum(['agent-provider', 'anonymous']),
    credential_type: z.literal(CREDENTIAL_TYPE),
    credential: z.string().describe('The key. It is shown this once.'),
    credential_expires: time.nullable(),
    scopes: z.array(z.enum(KEY_GROUPS)),
    claim_url: url.optional(),
    claim_token: z
      .string()
      .optional()
      .describe('Stands for the registration at the `claim_uri`. It is shown this once.'),
    claim_token_expires: time.optional(),
    post_claim_scopes: z.array(z.enum(KEY_GROUPS)).optional(),
  }),
);
export type AgentAuthResponse = z.output<typeof agentAuthResponse>;

export const agentClaimRequest = z.object({
  claim_token: nameText.describe('The token that the registration returned.'),
  email: nameText.optional().describe('Who should own the key, for the operator to see.'),
});

export const agentClaimResponse = z.lazy(() =>
  z.object({
    registration_id: z.string(),
    status: z.enum(['initiated', 'claimed']).describe('`claimed` once the operator has approved the claim.'),
    expires_at: time.nullable(),
  }),
);

export const agentRevokeRequest = z.object({ token: nameText.describe('The key that is to be revoked.') });
export const agentRevokeResponse = z.lazy(() => z.object({}));

export const agentClaim = z.lazy(() =>
  z.object({
    id: z.string(),
    key: z.string().describe('The first characters of the key.'),
    team: z.string(),
    email: z.string().nullable().describe('Given by the agent; nobody has verified it.'),
    requestedAt: time.nullable().describe('When the agent asked for approval.'),
    createdAt: time,
    expiresAt: time,
  }),
);
export type AgentClaim = z.output<typeof agentClaim>;
export const claimsResponse = z.lazy(() => z.object({ success: z.literal(true), data: z.array(agentClaim) }));

export const approveClaimRequest = z.strictObject({
  limits: keyLimits.optional().describe('What the key is limited to from now on. Default: nothing.'),
  plan: nameText.optional().describe('Plan of its team. Default: that of teams without one.'),
  expiresInDays: z.int().min(1).max(3_650).optional().describe('Default: the key does not expire.'),
});
export type ApproveClaimRequest = z.output<typeof approveClaimRequest>;
export const approveClaimResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    data: z.object({ id: z.string(), key: z.string().describe('The first characters of the key.') }),
  }),
);
export const denyClaimResponse = approveClaimResponse;

const sessionId = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'It must be 64 hexadecimal digits.')
  .max(64)
  .describe('The session that the program began.');
/** RFC 7636: the SHA-256 of the verifier, in base64url. */
const codeChallenge = z
  .string()
  .regex(/^[\w-]{43}$/, 'It must be the base64url of a SHA-256.')
  .max(43)
  .describe('SHA-256 of the code verifier, in base64url.');

export const cliAuthQuery = z.object({
  code_challenge: nameText.optional().describe('SHA-256 of the code verifier, in base64url.'),
  t: nameText.optional().describe('Ignored.'),
});
export const cliApproveRequest = z.object({ session_id: sessionId, code_challenge: codeChallenge });
export const cliApproveResponse = z.lazy(() => z.object({ success: z.literal(true), teamName: z.string() }));

export const cliStatusRequest = z.object({
  session_id: sessionId,
  code_verifier: z
    .string()
    .regex(/^[\w.~-]{43,128}$/, 'It must have 43 to 128 letters, digits, or - . _ ~.')
    .max(128)
    .describe('The secret that only the program knows.'),
});
export const cliStatusResponse = z.lazy(() =>
  z.discriminatedUnion('status', [
    z.object({ status: z.literal('pending') }),
    z.object({ status: z.literal('complete'), apiKey: z.string(), apiUrl: url, teamName: z.string() }),
  ]),
);

export const keylessEligibility = z.lazy(() =>
  z.object({
    eligible: z.boolean(),
    reason: z.enum(['requests', 'credits', 'ipv6']).optional(),
    retryAfterSeconds: z.int().optional(),
  }),
);

// Errors of those who have no key yet. Their codes are those of auth.md and OAuth, which agents know.

export const ONBOARDING_ERRORS = {
  invalid_request: {
    status: 400,
    text: 'The request is malformed. The description says what is wrong with it.',
  },
  invalid_signature: {
    status: 400,
    text: 'The signature of the assertion could not be verified. Sign it with RS256, ES256 or EdDSA and a key of the JWKS of its issuer.',
  },
  replay_detected: {
    status: 400,
    text: 'This assertion has been used before. Ask your provider for a new one: each needs its own `jti`.',
  },
  audience_mismatch: {
    status: 400,
    text: 'The assertion was made for another service. Its `aud` must be the `resource` of /.well-known/oauth-protected-resource, and nothing else.',
  },
  credential_expired: { status: 400, text: 'The assertion has expired. Ask your provider for a new one.' },
  unsupported_credential_type: {
    status: 400,
    text: 'This server issues credentials of the type `api_key`. Leave out `requested_credential_type`, or set it to that.',
  },
  missing_verified_email: {
    status: 400,
    text: 'The assertion names neither a verified e-mail address nor a verified phone number. Ask your provider for one that does.',
  },
  issuer_not_enabled: {
    status: 403,
    text: 'Assertions of this issuer are not accepted here. The operator can enable it with TRAWL_AGENT_ISSUERS.',
  },
  access_denied: {
    status: 403,
    text: 'The operator does not accept this person. E-mail addresses of other domains may be accepted.',
  },
  anonymous_not_enabled: {
    status: 403,
    text: 'This server gives no keys to anonymous agents. Ask the operator for a key; GET /auth.md names the other ways.',
  },
  invalid_claim_token: {
    status: 404,
    text: 'No registration has this claim token. It is deleted with its key, when the key expires unclaimed.',
  },
  rate_limited: {
    status: 429,
    text: 'Too many requests of this kind. Retry after the seconds in `Retry-After`.',
  },
  KEYLESS_LIMIT_REACHED: {
    status: 429,
    text: 'What can be used today without a key is used up for your address. Send a key: GET /auth.md says how to get one.',
    sentAs: null,
  },
} as const;

// The errors of limits, keys and teams: a part of the one table in error-table.ts.

export const POLICY_ERRORS = {
  unsafe_domain_blocked: {
    status: 403,
    text: 'The threat policy of your team blocks this URL. The message says which rule it was.',
  },
  SAFE_MODE_BLOCKED: {
    status: 403,
    text: '`safeMode` does not allow this. The message says what it was. Leave it out, or send `safeMode: false`.',
  },
  INSUFFICIENT_CREDITS: {
    status: 402,
    text: 'Insufficient credits to perform this request. Ask the operator of this server for more, or wait for the next month.',
  },
  KEY_RESTRICTED: {
    status: 403,
    text: 'This API key is restricted and does not allow the request. The message says what it allows. Use another key, or have this one changed.',
  },
  NETWORK_NOT_ALLOWED: {
    status: 403,
    text: 'Requests from this network are not allowed. Send the request from an allowed network.',
  },
  CSRF_TOKEN_INVALID: {
    status: 403,
    text: 'The request has a session cookie, but not the `x-csrf-token` of that session. Reload the console, or send an API key instead of the cookie.',
  },
  OPERATOR_ONLY: {
    status: 403,
    text: 'Only the operator may do this. Use a key of the team `default` that has no restrictions, or TRAWL_API_KEY.',
  },
  KEY_NOT_FOUND: { status: 404, text: 'Key not found. GET /v2/team/keys lists the keys of your team.' },
  TEAM_NOT_FOUND: { status: 404, text: 'Team not found. GET /v2/teams lists the teams.' },
  SESSION_KEY_ENDED: {
    status: 410,
    text: 'The browser session was ended because the key that opened it is no longer valid. Open a new session with a valid key.',
  },
  TEAM_OPTED_OUT: {
    status: 403,
    text: 'Your team stores nothing of its requests, so it cannot rate them. Leave ratings out.',
  },
  FEEDBACK_WINDOW_EXPIRED: {
    status: 409,
    text: 'Requests can be rated for 24 hours, and this one is older. Rate a newer one.',
  },
  SIEM_NOT_CONFIGURED: {
    status: 409,
    text: 'No collector is set for your team. Set one with PUT /v2/team/siem first; it may be disabled.',
  },
  TEAM_EXISTS: { status: 409, text: 'There is a team with this name already. Choose another name.' },
  TOO_MANY_KEYS: { status: 409, text: 'The team has 1,000 keys, which is the limit. Revoke those that are not used.' },
  LAST_OPERATOR_KEY: {
    status: 409,
    text: 'This is the last key that can manage this server, so it was not changed. Create another key without restrictions first, or use `trawl keys` on the server.',
  },
  RATE_LIMITED: {
    status: 429,
    text: 'Rate limit exceeded. Retry after the seconds in `Retry-After`. The headers `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset` say how many requests a minute are allowed.',
  },
  CONCURRENCY_QUEUE_TIMEOUT: {
    status: 429,
    text: 'The request waited for a free slot of your team until it could no longer be served within its `timeout`. Retry after the seconds in `Retry-After`, send fewer requests at once, or raise `timeout`.',
  },
} as const;

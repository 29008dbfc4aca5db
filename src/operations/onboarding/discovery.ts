// The documents that tell a program without a key how to get one: RFC 9728, and RFC 8414 with the `agent_auth` of auth.md.
import { ServiceError } from '../../contracts/errors/errors.ts';
import { CREDENTIAL_TYPE, ID_JAG } from '../../contracts/onboarding/onboarding.ts';
import type { ResponseOf } from '../../contracts/route-types.ts';
import { KEY_GROUPS } from '../../contracts/team/policy.ts';
import type { OpenAnswer, OpenCall } from '../call.ts';
import type { WaysIn } from './ways-in.ts';

interface Deps {
  ways: WaysIn;
}

export const AGENT_PATHS = {
  register: '/agent/auth',
  claim: '/agent/auth/claim',
  revoke: '/agent/auth/revoke',
  guide: '/auth.md',
} as const;

const RESOURCE_NAME = 'Trawl';
const CHAPTER = '/docs/operate/getting-a-key';
const NO_KEY_NEEDED = 'This server needs no key (TRAWL_AUTH=off). Send requests without one.';

const shared = (baseUrl: string) => ({
  authorization_servers: [baseUrl],
  scopes_supported: [...KEY_GROUPS],
  bearer_methods_supported: ['header'] as ['header'],
});

type ResourceId = 'protectedResource' | 'protectedResourceOfV2' | 'protectedResourceOfMcp' | 'protectedResourceOfV2Mcp';

/** `path` is that of the part that a client asks about. Throws NOT_FOUND if there is nothing to get. */
const resourceAt =
  (path: string) =>
  ({ ways }: Deps, { baseUrl }: OpenCall<ResourceId>): OpenAnswer => {
    if (!ways.needsKey) throw new ServiceError('NOT_FOUND', { message: NO_KEY_NEEDED });
    const body: ResponseOf<ResourceId> = {
      resource: `${baseUrl}${path}`,
      resource_name: RESOURCE_NAME,
      resource_documentation: `${baseUrl}${CHAPTER}`,
      ...shared(baseUrl),
    };
    return { status: 200, body };
  };

export const protectedResource = resourceAt('');
export const protectedResourceOfV2 = resourceAt('/v2');
export const protectedResourceOfMcp = resourceAt('/mcp');
export const protectedResourceOfV2Mcp = resourceAt('/v2/mcp');

/** Served also if no agent can get a key by itself: its list of identity types is empty then, and `skill` says what to do. */
export const authorizationServer = ({ ways }: Deps, { baseUrl }: OpenCall<'authorizationServer'>): OpenAnswer => ({
  status: 200,
  body: describeServer(ways, baseUrl),
});

function describeServer({ needsKey, issuers, anonymous }: WaysIn, baseUrl: string): ResponseOf<'authorizationServer'> {
  if (!needsKey) throw new ServiceError('NOT_FOUND', { message: NO_KEY_NEEDED });
  const credentials: { credential_types_supported: [typeof CREDENTIAL_TYPE] } = {
    credential_types_supported: [CREDENTIAL_TYPE],
  };
  const byAssertion = issuers.length > 0;
  return {
    issuer: baseUrl,
    resource: baseUrl,
    ...shared(baseUrl),
    response_types_supported: [],
    grant_types_supported: [],
    service_documentation: `${baseUrl}${CHAPTER}`,
    agent_auth: {
      skill: `${baseUrl}${AGENT_PATHS.guide}`,
      register_uri: `${baseUrl}${AGENT_PATHS.register}`,
      ...(anonymous && { claim_uri: `${baseUrl}${AGENT_PATHS.claim}` }),
      revocation_uri: `${baseUrl}${AGENT_PATHS.revoke}`,
      identity_types_supported: [
        ...(byAssertion ? (['identity_assertion'] as const) : []),
        ...(anonymous ? (['anonymous'] as const) : []),
      ],
      ...(byAssertion && { identity_assertion: { assertion_types_supported: [ID_JAG], ...credentials } }),
      ...(anonymous && { anonymous: credentials }),
    },
  };
}

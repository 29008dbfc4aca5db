// Settings of those who have no key: agents that get one by themselves, and use without one.
import { z } from 'zod';
import { type AgentIssuer, parseAgentIssuers } from '../../policy/agents/agent-issuers.ts';
import { integer, oneOf, readBy, setting } from '../rules.ts';

export const ONBOARDING_SETTINGS = {
  agentIssuers: setting(
    'TRAWL_AGENT_ISSUERS',
    'none',
    readBy(parseAgentIssuers).default((): readonly AgentIssuer[] => []),
    'Agent providers whose identity assertions (ID-JAG) get a key: a list of issuer URLs, or JSON (docs/operate/getting-a-key.md). Needs TRAWL_PUBLIC_URL.',
  ),
  agentAnonymous: setting(
    'TRAWL_AGENT_ANONYMOUS',
    'off',
    oneOf(['off', 'limited'], 'off'),
    'limited: an agent that nobody vouches for gets a small key, which you can approve; off: it gets none.',
  ),
  agentAnonymousCredits: setting(
    'TRAWL_AGENT_ANONYMOUS_CREDITS',
    '50',
    integer(50, 0, 1_000_000_000),
    'Monthly credits of the key of an anonymous agent.',
  ),
  agentAnonymousDays: setting(
    'TRAWL_AGENT_ANONYMOUS_DAYS',
    '7',
    integer(7, 1, 365),
    'Days until the key of an anonymous agent expires, unless it is approved.',
  ),
  agentAnonymousMax: setting(
    'TRAWL_AGENT_ANONYMOUS_MAX',
    '100',
    integer(100, 1, 100_000),
    'Maximum number of keys of anonymous agents that are not approved.',
  ),
  keyless: setting(
    'TRAWL_KEYLESS',
    'off',
    oneOf(['off', 'limited'], 'off'),
    'limited: search, scrape, parse, interact and feedback work without a key, within a daily budget for each IPv4 address; off: every request needs a key.',
  ),
  keylessRequests: setting(
    'TRAWL_KEYLESS_REQUESTS',
    '50',
    integer(50, 1, 1_000_000),
    'Requests a day without a key, for each address.',
  ),
  keylessCredits: setting(
    'TRAWL_KEYLESS_CREDITS',
    '50',
    integer(50, 1, 1_000_000_000),
    'Credits a day without a key, for each address.',
  ),
  keylessSecret: setting(
    'TRAWL_KEYLESS_SECRET',
    'none',
    z.string().min(16, 'it must have at least 16 characters').optional(),
    'Secret of a proxy (such as the public MCP server) that may ask about, and send requests for, the addresses of its callers: headers `x-firecrawl-keyless-secret` and `x-firecrawl-keyless-ip`.',
    true,
  ),
};

interface Checked {
  agentIssuers: readonly AgentIssuer[];
  publicUrl: string | undefined;
}

/** Describes settings that do not work together. An assertion is for one service, which the sender must not choose. */
export const onboardingProblem = ({ agentIssuers, publicUrl }: Checked): string | undefined =>
  agentIssuers.length > 0 && publicUrl === undefined
    ? 'TRAWL_AGENT_ISSUERS needs TRAWL_PUBLIC_URL: assertions are made for that address. Set it.'
    : undefined;

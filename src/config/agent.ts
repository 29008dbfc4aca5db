// Settings of agents: how much one run may do with the effort `high`. `medium` gets half of it, `low` a quarter.
import { integer, setting } from './rules.ts';

export const AGENT_SETTINGS = {
  agentMaxSteps: setting(
    'TRAWL_AGENT_MAX_STEPS',
    '60',
    integer(60, 2, 10_000),
    'How many turns a language model may take in one run of an agent, and how many pages an agent without a model may read. This and the next three apply to the effort `high`; `medium` gets half, `low` a quarter.',
  ),
  agentMaxTokens: setting(
    'TRAWL_AGENT_MAX_TOKENS',
    '2000000',
    integer(2_000_000, 1_000, 1_000_000_000),
    'How many tokens of language models one run of an agent may use.',
  ),
  agentMaxMinutes: setting(
    'TRAWL_AGENT_MAX_MINUTES',
    '30',
    integer(30, 1, 1_440),
    'How long one run of an agent may take.',
  ),
  agentMaxPagesPerHost: setting(
    'TRAWL_AGENT_MAX_PAGES_PER_HOST',
    '100',
    integer(100, 1, 100_000),
    'How many pages of one host a run of an agent may read.',
  ),
};

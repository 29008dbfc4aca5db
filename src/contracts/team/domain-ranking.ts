// Domains whose results a team, or a key, wants to see first, higher, lower or not at all.
import { z } from 'zod';
import { DOMAIN_ACTIONS } from '../../urls/domain-ranking.ts';
import { hostname } from '../hostname.ts';

const MAX_DOMAINS = 1_000;

const domains = z.array(hostname).max(MAX_DOMAINS).optional();

/** A domain stands for itself and its subdomains. */
export const domainRanking = z.strictObject({
  block: domains.describe('Results of these domains are left out.'),
  lower: domains.describe('Results of these domains move down, to three times their rank.'),
  raise: domains.describe('Results of these domains move up, to half their rank.'),
  pin: domains.describe('Results of these domains come first.'),
});
export type DomainRankingLists = z.output<typeof domainRanking>;

const listed = z.array(z.string()).optional();
/** As it is shown. */
export const domainRankingView = z.object({ block: listed, lower: listed, raise: listed, pin: listed });

export const domainAction = z
  .enum(DOMAIN_ACTIONS)
  .describe('What the ranking of your team or key does with results of this domain.');

export const domainRankingResponse = z.lazy(() =>
  z.object({
    success: z.literal(true),
    data: z.object({
      team: domainRankingView.describe('What applies to all searches of your team.'),
      key: domainRankingView.describe('What applies to your key besides. It wins where both name a domain.'),
    }),
  }),
);
export type DomainRankingResponse = z.output<typeof domainRankingResponse>;

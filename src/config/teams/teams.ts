// Settings of what teams may do that have no settings of their own.
import { parsePlans } from '../../policy/plan.ts';
import { readBy, setting, text } from '../rules.ts';

export const TEAM_SETTINGS = {
  plans: setting(
    'TRAWL_PLANS',
    'none',
    readBy(parsePlans).default(() => parsePlans('{}')),
    'Plans of your own, or changes to unlimited, free, hobby, standard, growth and scale, as JSON: `{"hobby": {"monthlyCredits": 5000, "maxConcurrency": 4, "rates": {"scrape": 60}}}`. null means unlimited.',
  ),
  teamPlan: setting(
    'TRAWL_TEAM_PLAN',
    'standard',
    text('standard'),
    'Plan of teams that have no other one. The team `default` is unlimited unless you give it a plan.',
  ),
};

// Checks results against the query and its conditions, so that only matching ones are kept whatever a provider returned.
// Where a result does not show enough, a provider that honours the operator is trusted.
import type {
  Clause,
  Conditions,
  FiletypeClause,
  Query,
  SiteClause,
  Source,
  TimeRange,
} from '../../contracts/search/search-query.ts';
import { categoriesOf } from '../../urls/categories.ts';
import { isOnListedDomain } from '../../urls/listed-domains.ts';
import type { Capabilities } from '../providers/provider.ts';
import {
  anyOf,
  type ClauseVerdict,
  hasSize,
  hasType,
  isInField,
  isInTimeRange,
  isOnSite,
  isRelated,
  says,
} from './clause-checks.ts';
import { type ResultCandidate, readVisible, type VisibleResult } from './visible-result.ts';

/** What the source of a result guarantees without a check. */
export type Trust = Capabilities | 'index';

/** Returns why a result is dropped; undefined keeps it. */
export type Match = (candidate: ResultCandidate, trust: Trust) => string | undefined;

interface Rule {
  holds(visible: VisibleResult): ClauseVerdict;
  kind: Clause['kind'];
  negated: boolean;
  /** Why a result is dropped. */
  reason: string;
}

type Condition = (visible: VisibleResult, trust: Trust) => string | undefined;

/** The index checks these on the whole page, with the same stems as its ranking. */
const JUDGED_BY_INDEX: ReadonlySet<Clause['kind']> = new Set([
  'phrase',
  'inurl',
  'allinurl',
  'intitle',
  'allintitle',
  'related',
]);

export function createMatch(query: Query, conditions: Conditions, { source }: { source: Source }): Match {
  const rules = rulesOf(query.clauses, source);
  const tests = conditionsOf(conditions);
  return (candidate, trust) => {
    const visible = readVisible(candidate, source);
    if (typeof visible === 'string') return visible;
    for (const rule of rules) {
      if (isBroken(rule, visible, trust)) return rule.reason;
    }
    for (const test of tests) {
      const reason = test(visible, trust);
      if (reason !== undefined) return reason;
    }
    return undefined;
  };
}

function isBroken({ holds, kind, negated }: Rule, visible: VisibleResult, trust: Trust): boolean {
  if (!negated && trust === 'index' && JUDGED_BY_INDEX.has(kind)) return false;
  const verdict = holds(visible);
  if (negated) return verdict === true;
  return verdict === false || (verdict === undefined && !honours(trust, kind));
}

/** A provider that honours `intitle` honours `allintitle`, which is written as one `intitle` per word. */
function honours(trust: Trust, kind: Clause['kind']): boolean {
  if (trust === 'index') return true;
  return trust.clauses.some((honoured) => honoured === kind || `all${honoured}` === kind);
}

function rulesOf(clauses: readonly Clause[], source: Source): Rule[] {
  const sites = clauses.filter((clause): clause is SiteClause => clause.kind === 'site' && !clause.negated);
  const types = clauses.filter((clause): clause is FiletypeClause => clause.kind === 'filetype' && !clause.negated);
  const rules = clauses.flatMap((clause) => ruleOf(clause, source) ?? []);
  if (sites.length > 0) {
    rules.push({
      holds: (visible) => sites.some((site) => isOnSite(visible, site)),
      kind: 'site',
      negated: false,
      reason: `not on site ${sites.map(({ host, path }) => host + path).join(' or ')}`,
    });
  }
  if (types.length > 0) {
    rules.push({
      holds: (visible) => anyOf(types.map((type) => hasType(visible, type))),
      kind: 'filetype',
      negated: false,
      reason: `not of file type ${types.map(({ extension }) => extension).join(' or ')}`,
    });
  }
  return rules;
}

function ruleOf(clause: Clause, source: Source): Rule | undefined {
  const { kind, negated } = clause;
  const rule = (holds: Rule['holds'], reason: string): Rule => ({ holds, kind, negated, reason });
  switch (clause.kind) {
    case 'word':
    case 'phrase': {
      // Words only rank.
      if (clause.kind === 'word' && !negated) return undefined;
      const { text } = clause;
      return rule((visible) => says(visible, text), `${negated ? 'says' : 'is not seen to say'} "${text}"`);
    }
    case 'site':
      return negated ? rule((visible) => isOnSite(visible, clause), `on site ${clause.host}${clause.path}`) : undefined;
    case 'filetype':
      return negated ? rule((visible) => hasType(visible, clause), `of file type ${clause.extension}`) : undefined;
    case 'related':
      return rule((visible) => isRelated(visible, clause.host), `not known to be related to ${clause.host}`);
    case 'imagesize':
    case 'larger': {
      // Sizes apply to images only.
      if (source !== 'images') return undefined;
      const size = `${clause.kind === 'larger' ? 'larger than' : 'of the size'} ${clause.width}x${clause.height}`;
      return rule((visible) => hasSize(visible, clause), negated ? size : `not known to be ${size}`);
    }
    default: {
      const place = clause.kind.endsWith('url') ? 'URL' : 'title';
      const reason = `"${clause.words.join(' ')}" is ${negated ? '' : 'not '}in its ${place}`;
      return rule((visible) => isInField(visible, clause), reason);
    }
  }
}

function conditionsOf({ includeDomains, excludeDomains, categories, time }: Conditions): Condition[] {
  const tests: Condition[] = [];
  if (includeDomains.length > 0) {
    const isIncluded = onOneOf(includeDomains);
    tests.push((visible) => (isIncluded(visible) ? undefined : 'not on one of includeDomains'));
  }
  if (excludeDomains.length > 0) {
    const isExcluded = onOneOf(excludeDomains);
    tests.push((visible) => (isExcluded(visible) ? 'on one of excludeDomains' : undefined));
  }
  if (categories.length > 0) {
    const reason = `not of category ${categories.join(' or ')}`;
    tests.push(({ url, candidate: { fileType, category } }) => {
      const found = categoriesOf(url, fileType);
      return categories.some((wanted) => wanted === category || found.includes(wanted)) ? undefined : reason;
    });
  }
  if (time) {
    tests.push(({ candidate: { date } }, trust) => {
      if (date !== undefined) return isInTimeRange(date, time) ? undefined : 'its date is not in the time asked for';
      return filtersTime(trust, time) ? undefined : 'no date, and the provider does not filter by time';
    });
  }
  return tests;
}

const onOneOf =
  (domains: readonly string[]) =>
  ({ host }: VisibleResult): boolean =>
    domains.some((domain) => isOnListedDomain(host, domain));

const filtersTime = (trust: Trust, { preset }: TimeRange): boolean =>
  trust === 'index' || trust.time === 'range' || (trust.time === 'presets' && preset !== undefined);

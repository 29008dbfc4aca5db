// Holds a result against the query and its conditions, on what can be seen of it: whatever a provider was asked, only what
// fits is kept. Where nothing can be seen, the word of a provider that honours the operator counts.
import type {
  Clause,
  Conditions,
  FiletypeClause,
  Query,
  SiteClause,
  Source,
  TimeRange,
} from '../../contracts/search-query.ts';
import { categoriesOf, isWithin } from '../../util/categories.ts';
import type { Capabilities } from '../providers/provider.ts';
import {
  anyOf,
  hasSize,
  hasType,
  isInField,
  isInTimeRange,
  isOnSite,
  isRelated,
  says,
  type Verdict,
} from './clause-checks.ts';
import { type Candidate, readVisible, type VisibleResult } from './visible-result.ts';

export type { Candidate } from './visible-result.ts';

/** Who gave the result: what can be relied on without looking. */
export type Trust = Capabilities | 'index';

/** Undefined keeps the result; else the reason, in words, why it is left out. */
export type Match = (candidate: Candidate, trust: Trust) => string | undefined;

interface Rule {
  holds(seen: VisibleResult): Verdict;
  kind: Clause['kind'];
  negated: boolean;
  /** Why a result is left out. */
  reason: string;
}

type Condition = (seen: VisibleResult, trust: Trust) => string | undefined;

/** The index compares words as it counts them, stems and all, and has seen the whole page. */
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
    const seen = readVisible(candidate, source);
    if (typeof seen === 'string') return seen;
    for (const rule of rules) {
      if (isBroken(rule, seen, trust)) return rule.reason;
    }
    for (const test of tests) {
      const reason = test(seen, trust);
      if (reason !== undefined) return reason;
    }
    return undefined;
  };
}

function isBroken({ holds, kind, negated }: Rule, seen: VisibleResult, trust: Trust): boolean {
  if (!negated && trust === 'index' && JUDGED_BY_INDEX.has(kind)) return false;
  const verdict = holds(seen);
  if (negated) return verdict === true;
  return verdict === false || (verdict === undefined && !honours(trust, kind));
}

/** Words that are each asked for are all asked for. */
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
      holds: (seen) => sites.some((site) => isOnSite(seen, site)),
      kind: 'site',
      negated: false,
      reason: `not on site ${sites.map(({ host, path }) => host + path).join(' or ')}`,
    });
  }
  if (types.length > 0) {
    rules.push({
      holds: (seen) => anyOf(types.map((type) => hasType(seen, type))),
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
      return rule((seen) => says(seen, text), `${negated ? 'says' : 'is not seen to say'} "${text}"`);
    }
    case 'site':
      return negated ? rule((seen) => isOnSite(seen, clause), `on site ${clause.host}${clause.path}`) : undefined;
    case 'filetype':
      return negated ? rule((seen) => hasType(seen, clause), `of file type ${clause.extension}`) : undefined;
    case 'related':
      return rule((seen) => isRelated(seen, clause.host), `not known to be related to ${clause.host}`);
    case 'imagesize':
    case 'larger': {
      // Of pages nobody asks the size.
      if (source !== 'images') return undefined;
      const size = `${clause.kind === 'larger' ? 'larger than' : 'of the size'} ${clause.width}x${clause.height}`;
      return rule((seen) => hasSize(seen, clause), negated ? size : `not known to be ${size}`);
    }
    default: {
      const place = clause.kind.endsWith('url') ? 'URL' : 'title';
      const reason = `"${clause.words.join(' ')}" is ${negated ? '' : 'not '}in its ${place}`;
      return rule((seen) => isInField(seen, clause), reason);
    }
  }
}

function conditionsOf({ includeDomains, excludeDomains, categories, time }: Conditions): Condition[] {
  const tests: Condition[] = [];
  if (includeDomains.length > 0) {
    const isIncluded = withinOneOf(includeDomains);
    tests.push((seen) => (isIncluded(seen) ? undefined : 'not on one of includeDomains'));
  }
  if (excludeDomains.length > 0) {
    const isExcluded = withinOneOf(excludeDomains);
    tests.push((seen) => (isExcluded(seen) ? 'on one of excludeDomains' : undefined));
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

/** A host with `www.` stands for the one without, as it does for a site. */
function withinOneOf(domains: readonly string[]): (seen: VisibleResult) => boolean {
  const hosts = domains.map((domain) => domain.replace(/^www\.(?=[^.]+\.)/, ''));
  return ({ host }) => hosts.some((name) => isWithin(host, name));
}

const filtersTime = (trust: Trust, { preset }: TimeRange): boolean =>
  trust === 'index' || trust.time === 'range' || (trust.time === 'presets' && preset !== undefined);

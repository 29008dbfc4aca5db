// Filters docs by conditions that their columns alone decide: who may see them, hosts, file types, categories, time, news.

import type { Conditions, Query } from '../../contracts/search/search-query.ts';
import type { Viewer } from '../../page/page-owner.ts';
import { hostsOfCategory } from '../../urls/categories.ts';
import { bareTwin } from '../../urls/listed-domains.ts';
import type { IndexSearch, VisiblePages } from '../page-index.ts';
import type { PageColumns } from '../pages/page-columns.ts';
import { IS_NEWS } from '../pages/page-facts.ts';
import { kindOf } from '../pages/page-kind.ts';
import { languageOf } from '../ranking/ranking-signals.ts';

export interface RequiredKind {
  news?: boolean;
  images?: boolean;
}

/** Undefined lets every doc pass. */
export type ColumnFilter = ((docId: number) => boolean) | undefined;

/** What decides which docs a search may return. */
export type Searched = VisiblePages & Pick<IndexSearch, 'query' | 'conditions' | 'languages' | 'kinds'>;

export function columnFilter(columns: PageColumns, searched: Searched, wanted: RequiredKind): ColumnFilter {
  const fits = conditionFilter(columns, searched, wanted);
  const chosen = choiceFilter(columns, searched);
  return fits && chosen ? (docId) => fits(docId) && chosen(docId) : (chosen ?? fits);
}

/** Languages and kinds, which only searches of people name. */
function choiceFilter(columns: PageColumns, { languages = [], kinds = [] }: Searched): ColumnFilter {
  if (languages.length + kinds.length === 0) return undefined;
  const { locale, type, flags } = columns;
  const isOneOf = (wanted: readonly string[], name: string) => wanted.length === 0 || wanted.includes(name);
  const isSpoken = Uint8Array.from(columns.locales.list, (name) => (isOneOf(languages, languageOf(name)) ? 1 : 0));
  return (docId) =>
    isSpoken[locale[docId]!] === 1 && isOneOf(kinds, kindOf(columns.types.list[type[docId]!]!, flags[docId]!));
}

function conditionFilter(
  columns: PageColumns,
  { viewer, verifiedOnly, within, query, conditions }: Searched,
  wanted: RequiredKind,
): ColumnFilter {
  const owners = visibleOwners(columns, viewer);
  const flags = wanted.news ? IS_NEWS : 0;
  const fewest = wanted.images ? 1 : 0;
  const hosts = allowed(columns.hosts.list, hostRules(query, conditions));
  const types = allowed(columns.types.list, typeRules(query));
  const categories = categoryFilter(columns, conditions);
  const members = within && new Set(within);
  const { from = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = conditions.time ?? {};
  if (
    !owners &&
    !members &&
    !verifiedOnly &&
    !hosts &&
    !types &&
    !categories &&
    !conditions.time &&
    flags + fewest === 0
  )
    return undefined;
  // The arrays may be replaced when docs are added, but never during a search.
  const { owner, key, verified, host, type, date, flags: has, images } = columns;
  // The checks that exclude the most come first.
  return (docId) =>
    (owners === undefined || owners[owner[docId]!] === 1) &&
    (!verifiedOnly || verified[docId] === 1) &&
    (members === undefined || members.has(key[docId]!)) &&
    (hosts === undefined || hosts[host[docId]!] === 1) &&
    (has[docId]! & flags) === flags &&
    images[docId]! >= fewest &&
    (types === undefined || types[type[docId]!] === 1) &&
    (categories === undefined || categories(docId)) &&
    lastMoment(date[docId]!) >= from &&
    date[docId]! < until;
}

/** The docs that a search may use at all, whatever it asks for. */
export function visibleDocs(columns: PageColumns, { viewer, verifiedOnly }: VisiblePages): (docId: number) => boolean {
  const owners = visibleOwners(columns, viewer);
  const { owner, verified } = columns;
  return (docId) => (owners === undefined || owners[owner[docId]!] === 1) && (!verifiedOnly || verified[docId] === 1);
}

export const seesEveryDoc = (columns: PageColumns, viewer: Viewer): boolean =>
  visibleOwners(columns, viewer) === undefined;

/** Undefined as long as the viewer may see the pages of all owners. */
function visibleOwners({ owners: { list } }: PageColumns, viewer: Viewer): Uint8Array | undefined {
  const isVisible: Rule = (name) => (viewer as readonly string[]).includes(name);
  return list.slice(1).every(isVisible) ? undefined : allowed(list, [isVisible]);
}

const DAY = 86_400_000;

/** A date at midnight has no time of day and stands for the whole day. */
export const lastMoment = (date: number): number => (date % DAY === 0 ? date + DAY - 1 : date);

type Rule = (name: string) => boolean;

function hostRules({ clauses }: Query, { includeDomains, excludeDomains }: Conditions): Rule[] {
  const rules: Rule[] = [];
  const sites = clauses.filter((clause) => clause.kind === 'site');
  const wanted = sites.filter(({ negated }) => !negated).map(({ host }) => host);
  // With a path, only part of the host is unwanted.
  const unwanted = sites.filter(({ negated, path }) => negated && path === '').map(({ host }) => host);
  if (wanted.length > 0) rules.push(within(wanted));
  if (includeDomains.length > 0) rules.push(onListed(includeDomains));
  if (unwanted.length > 0) rules.push(not(within(unwanted)));
  if (excludeDomains.length > 0) rules.push(not(onListed(excludeDomains)));
  return rules;
}

const not =
  (rule: Rule): Rule =>
  (name) =>
    !rule(name);

/** Hosts are stored without `www.`, so a host and its twin have the same name. */
function onListed(domains: readonly string[]): Rule {
  const twins = new Set(domains.flatMap((domain) => bareTwin(domain) ?? []));
  const isWithin = within(domains.filter((domain) => bareTwin(domain) === undefined));
  return (name) => twins.has(name) || isWithin(name);
}

function typeRules({ clauses }: Query): Rule[] {
  const terms = clauses.filter((clause) => clause.kind === 'filetype');
  const wanted = terms.filter(({ negated }) => !negated).map(({ extension }) => extension);
  const unwanted = terms.filter(({ negated }) => negated).map(({ extension }) => extension);
  // A type name lists the fetched type, then the extension of the URL.
  const isOneOf = (extensions: readonly string[]) => (name: string) =>
    name.split(',').some((type) => extensions.includes(type));
  return [
    ...(wanted.length > 0 ? [isOneOf(wanted)] : []),
    ...(unwanted.length > 0 ? [(name: string) => !isOneOf(unwanted)(name)] : []),
  ];
}

/** 1 at the number of each name that all rules allow; undefined without rules. */
function allowed(names: readonly string[], rules: readonly Rule[]): Uint8Array | undefined {
  if (rules.length === 0) return undefined;
  return Uint8Array.from(names, (name, id) => (id > 0 && rules.every((rule) => rule(name)) ? 1 : 0));
}

/** A page has to match only one of the categories. */
function categoryFilter({ hosts, types, host, type }: PageColumns, { categories }: Conditions): ColumnFilter {
  if (categories.length === 0) return undefined;
  const wanted = categories.flatMap(hostsOfCategory);
  const fittingHosts = allowed(hosts.list, [within(wanted)])!;
  const fittingTypes = allowed(types.list, [(name) => categories.includes('pdf') && name.split(',').includes('pdf')])!;
  return (docId) => fittingHosts[host[docId]!] === 1 || fittingTypes[type[docId]!] === 1;
}

/** Category lists are long, so each suffix of a host is looked up in a set. */
function within(hosts: readonly string[]): Rule {
  const known = new Set(hosts);
  return (name) => {
    for (let at = 0; ; ) {
      if (known.has(name.slice(at))) return true;
      const dot = name.indexOf('.', at);
      if (dot === -1) return false;
      at = dot + 1;
    }
  };
}

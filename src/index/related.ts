// `related:`: pages of other hosts that are like those of a host. Its best pages say what it is about; links either way say
// who belongs to it.
import type { Query } from '../contracts/search-query.ts';
import { eachTerm } from '../text/terms.ts';
import { isWithin } from '../util/categories.ts';
import { linkKey } from './addresses.ts';
import type { Candidate } from './arrange.ts';
import type { Found } from './candidates.ts';
import type { Columns } from './columns.ts';
import type { Documents } from './documents.ts';
import { IS_HOME } from './facts.ts';
import type { Links } from './links.ts';
import type { Postings, RankedWord } from './postings/postings.ts';
import type { Narrowing, Scope } from './scope.ts';
import { FLOOR } from './weights.ts';

const MODEL_PAGES = 5;
const MODEL_TEXT = 20_000;
/** Terms whose frequency is looked up, and those that are asked for. */
const FREQUENT_TERMS = 150;
const SALIENT_TERMS = 16;
/** A page is like the host when it has so many of those, or when links join the two. */
const SHARED_TERMS = 3;
const MAX_RELATED = 300;
/** What a link between the hosts adds, in the unit of scores. */
const LINK_BONUS = 8;
const SHORTEST_TERM = 3;
/** A term of more pages than both says nothing: so many, and this part of all. */
const FEW = 3;
const COMMON = 0.2;

export interface Likeness extends Narrowing {
  /** By likeness; absent when nothing like a host was asked for. */
  order?(scope: Scope): Found;
}

export interface Related {
  asked(query: Query): Likeness;
}

export interface RelatedParts {
  columns: Columns;
  documents: Documents;
  links: Links;
  postings: Postings;
}

export function createRelated({ columns, documents, links, postings }: RelatedParts): Related {
  /** Pages of other hosts, the most like first. */
  function like(host: string): Candidate[] {
    const isOwn = Uint8Array.from(columns.hosts.list, (name) => (isWithin(name, host) ? 1 : 0));
    const own = pagesOf(isOwn);
    const linked = linkedHosts(host, own, isOwn);
    const words = salientWords(own.slice(0, MODEL_PAGES), host);
    const admitted = new Uint8Array(columns.end);
    const bonus = new Float32Array(columns.end);
    const front = new Map<number, number>();
    for (let number = 1; number < columns.end; number++) {
      const id = columns.host[number]!;
      if (id === 0 || isOwn[id] === 1) continue;
      admitted[number] = 1;
      if (!linked.has(id)) continue;
      bonus[number] = LINK_BONUS;
      const known = front.get(id);
      if (known === undefined || columns.standing[number]! > columns.standing[known]!) front.set(id, number);
    }
    const { hits } = postings.rank({ words, admitted, bonus, depth: MAX_RELATED });
    const enough = Math.min(SHARED_TERMS, words.length);
    const floor = (hits[0]?.score ?? 0) * FLOOR.score;
    const alike = hits.filter(
      ({ number, covered, score }) => bonus[number]! > 0 || (covered >= enough && score >= floor),
    );
    const known = new Set(alike.map(({ number }) => number));
    const others = [...front.values()].filter((number) => !known.has(number));
    return [...alike, ...others.map((number) => ({ number, score: columns.standing[number]! }))];
  }

  /** Those of the best standing first. */
  function pagesOf(isHost: Uint8Array): number[] {
    const numbers: number[] = [];
    for (let number = 1; number < columns.end; number++) if (isHost[columns.host[number]!] === 1) numbers.push(number);
    const rank = (number: number) => columns.standing[number]! + ((columns.flags[number]! & IS_HOME) !== 0 ? 1 : 0);
    return numbers.sort((a, b) => rank(b) - rank(a) || b - a).slice(0, MAX_RELATED);
  }

  function linkedHosts(host: string, own: readonly number[], isOwn: Uint8Array): Set<number> {
    const found = new Set<number>();
    const byKey = new Map(columns.hosts.list.map((name, id) => [linkKey(name), id]));
    const targets = new Set([linkKey(`http://${host}/`)]);
    for (const number of own) targets.add(linkKey(documents.texts(number)!.url));
    for (const target of targets) {
      for (const key of links.hostsTo(target)) found.add(byKey.get(key) ?? 0);
    }
    for (const number of own.slice(0, MODEL_PAGES)) {
      const targets = documents.links(number).map(([target]) => target);
      for (const other of targets.flatMap(columns.withKey)) found.add(columns.host[other]!);
    }
    return new Set([...found].filter((id) => id !== 0 && isOwn[id] === 0));
  }

  /** What the pages speak of more than others do. */
  function salientWords(pages: readonly number[], host: string): RankedWord[] {
    const counts = new Map<string, number>();
    for (const number of pages) countTerms(number, counts);
    for (const label of host.split('.')) counts.delete(label);
    const frequent = [...counts].sort(([, a], [, b]) => b - a).slice(0, FREQUENT_TERMS);
    return (
      frequent
        .map(([term, count]) => {
          const frequency = postings.frequency(term);
          return { term, frequency, weight: Math.log2(1 + count) * Math.log(1 + postings.count / (1 + frequency)) };
        })
        // Known to others, but not to everybody.
        .filter(({ frequency }) => frequency > 1 && frequency <= Math.max(FEW, postings.count * COMMON))
        .sort((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1))
        .slice(0, SALIENT_TERMS)
        .map(({ term }) => ({ forms: [term], weight: 1 }))
    );
  }

  function countTerms(number: number, counts: Map<string, number>): void {
    const texts = documents.texts(number);
    const content = documents.content(number);
    if (!texts || !content) return;
    const text = `${texts.title}\n${content.headings}\n${content.body.slice(0, MODEL_TEXT)}`;
    eachTerm(text, texts.language, (term) => {
      if (term.length >= SHORTEST_TERM) counts.set(term, (counts.get(term) ?? 0) + 1);
    });
  }

  return {
    asked({ clauses }) {
      const clausesOf = (isNegated: boolean) =>
        clauses.filter((clause) => clause.kind === 'related').filter(({ negated }) => negated === isNegated);
      const without = clausesOf(true).flatMap(({ host }) => like(host).map(({ number }) => number));
      const [first, ...others] = clausesOf(false).map(({ host }) => like(host));
      if (!first) return { without };
      const common = others.map((list) => new Set(list.map(({ number }) => number)));
      const wanted = first.filter(({ number }) => common.every((numbers) => numbers.has(number)));
      return {
        without,
        only: [wanted.map(({ number }) => number)],
        order: ({ admitted }) => ({ isAll: true, list: wanted.filter(({ number }) => admitted?.[number] === 1) }),
      };
    },
  };
}

// Writes a query as text in the dialect of one provider. What the dialect cannot express is left out here and checked
// on the results.
import type { Clause, Conditions, FieldClause, Query } from '../../contracts/search/search-query.ts';
import { hostsOfCategory } from '../../urls/categories.ts';
import { bareTwin } from '../../urls/listed-domains.ts';
import { plainWords } from './plain-words.ts';

/** The query syntax that a provider understands. */
export interface Dialect {
  /** Supported kinds. Of unsupported ones with words (phrases, titles, URLs) the words remain, without the operator. */
  clauses: readonly Clause['kind'][];
  /** Kinds supported with a minus; absent: all of `clauses`. */
  negated?: readonly Clause['kind'][];
  /** Operator names that differ, such as `{ filetype: 'ext' }`. */
  names?: Partial<Record<Clause['kind'], string>>;
  /** How alternative sites or file types are written: `(a OR b)` (default), `a OR b`, or not at all. */
  or?: 'grouped' | 'bare' | 'none';
  /** Whether includeDomains and excludeDomains are written as operators. */
  domains: 'operators' | 'none';
  /** Whether categories are written as sites and file types; absent: same as `domains`. */
  categories?: 'operators' | 'none';
  /** Maximum number of characters, and of words between spaces. */
  maxLength?: number;
  maxWords?: number;
}

export type WrittenConditions = Pick<Conditions, 'includeDomains' | 'excludeDomains' | 'categories'>;

interface Unit {
  /** At least one of them must match. */
  alternatives: string[];
  rank: 'operator' | 'added' | 'text';
}

interface Room {
  length: number;
  words: number;
}

/** Not Infinity, because half of it must be less. */
const UNLIMITED = 1e9;

/** Operands that need no quotes. */
const PLAIN_OPERAND = /^(?!(?:OR|AND)$)[\p{L}\p{N}._/][\p{L}\p{N}\p{M}._/%~=&,+-]*$/u;

/**
 * If the text gets too long, whole clauses are left out: first words, from the end, then conditions, which get at most
 * half of the room that the operators leave. Empty when nothing remains to ask this provider.
 */
export function writeQuery(query: Query, dialect: Dialect, conditions?: WrittenConditions): string {
  const units = [
    ...unitsOf(
      query.clauses.filter((clause) => !isList(clause)),
      dialect,
    ),
    ...(conditions ? addedUnits(conditions, dialect) : []),
    ...unitsOf(query.clauses.filter(isList), dialect),
  ];
  const room = roomOf(dialect);
  const written = new Map<Unit, string>();
  const write = (rank: Unit['rank'], reserved: Room) => {
    for (const unit of units) {
      if (unit.rank !== rank) continue;
      const text = fit(unit.alternatives, dialect.or, {
        length: room.length - reserved.length,
        words: room.words - reserved.words,
      });
      // Stop at the first word that does not fit: a query with gaps would mean something else.
      if (text === '' && rank === 'text') return;
      if (text === '') continue;
      written.set(unit, text);
      room.length -= text.length + 1;
      room.words -= countWords(text);
    }
  };
  write('operator', { length: 0, words: 0 });
  write('added', { length: room.length / 2, words: room.words / 2 });
  write('text', { length: 0, words: 0 });
  return units.flatMap((unit) => written.get(unit) ?? []).join(' ');
}

/** One more character, because each part is counted with a space after it. */
const roomOf = ({ maxLength = UNLIMITED, maxWords = UNLIMITED }: Dialect): Room => ({
  length: maxLength + 1,
  words: maxWords,
});

/** As many alternatives as fit: results for fewer sites are still correct. */
function fit(alternatives: readonly string[], or: Dialect['or'] = 'grouped', room: Room): string {
  const isGroup = or === 'grouped' && alternatives.length > 1;
  const chosen: string[] = [];
  let length = isGroup ? 3 : 1;
  let words = 0;
  for (const alternative of alternatives) {
    length += alternative.length + (chosen.length > 0 ? ' OR '.length : 0);
    words += countWords(alternative) + (chosen.length > 0 ? 1 : 0);
    if (length > room.length || words > room.words) break;
    chosen.push(alternative);
  }
  return isGroup && chosen.length > 1 ? `(${chosen.join(' OR ')})` : chosen.join(' OR ');
}

function unitsOf(clauses: readonly Clause[], dialect: Dialect): Unit[] {
  const grouped = new Set<Clause['kind']>();
  return clauses.flatMap((clause) => {
    if (!isAlternative(clause)) return single(writeClause(clause, dialect), isText(clause) ? 'text' : 'operator');
    if (grouped.has(clause.kind)) return [];
    grouped.add(clause.kind);
    const same = clauses.filter((other) => isAlternative(other) && other.kind === clause.kind);
    const alternatives = same.flatMap((other) => writeClause(other, dialect));
    return alternativeUnit(alternatives, 'operator', dialect);
  });
}

const single = (texts: readonly string[], rank: Unit['rank']): Unit[] =>
  texts.map((text) => ({ alternatives: [text], rank }));

function alternativeUnit(alternatives: string[], rank: Unit['rank'], { or }: Dialect): Unit[] {
  const isKnown = alternatives.length === 1 || (alternatives.length > 1 && or !== 'none');
  return isKnown ? [{ alternatives, rank }] : [];
}

function addedUnits(conditions: WrittenConditions, dialect: Dialect): Unit[] {
  const site = (host: string, negated: boolean) => writeClause({ kind: 'site', host, path: '', negated }, dialect);
  const units: Unit[] = [];
  if (dialect.domains === 'operators') {
    // For a host with `www.`, too much is requested and too little excluded: the results are checked anyway.
    const included = conditions.includeDomains.flatMap((host) => site(bareTwin(host) ?? host, false));
    const excluded = conditions.excludeDomains.flatMap((host) => site(host, true));
    units.push(...alternativeUnit(included, 'added', dialect), ...single(excluded, 'added'));
  }
  if ((dialect.categories ?? dialect.domains) === 'operators') {
    const wanted = conditions.categories.map((category) =>
      category === 'pdf'
        ? writeClause({ kind: 'filetype', extension: 'pdf', negated: false }, dialect)
        : hostsOfCategory(category).flatMap((host) => site(host, false)),
    );
    // All or none: if one category cannot be written, the others would exclude its results.
    if (wanted.every((alternatives) => alternatives.length > 0)) {
      units.push(...alternativeUnit(wanted.flat(), 'added', dialect));
    }
  }
  return units;
}

/** Returns one text, several that must all match, or none. */
function writeClause(clause: Clause, dialect: Dialect): string[] {
  const { kind, negated } = clause;
  const isTaken = (negated ? (dialect.negated ?? dialect.clauses) : dialect.clauses).includes(kind);
  const minus = negated ? '-' : '';
  const operator = `${minus}${dialect.names?.[kind] ?? kind}:`;
  switch (clause.kind) {
    case 'word':
      return negated && !isTaken ? [] : [`${minus}${clause.text}`];
    case 'phrase':
      if (isTaken) return [`${minus}"${clause.text}"`];
      return negated ? [] : plainWords(clause.text);
    case 'intitle':
    case 'inurl':
      return isTaken ? writeField(clause, operator, dialect) : fieldWords(clause);
    case 'allintitle':
    case 'allinurl':
      if (isTaken) return [operator + clause.words.map(writeOperand).join(' ')];
      return writeSeparately(clause, dialect);
    case 'site':
      return isTaken ? [operator + writeOperand(clause.host + clause.path)] : [];
    case 'related':
      return isTaken ? [operator + writeOperand(clause.host)] : [];
    case 'filetype':
      return isTaken ? [operator + clause.extension] : [];
    default:
      return isTaken ? [`${operator}${clause.width}x${clause.height}`] : [];
  }
}

function writeField({ words, negated }: FieldClause, operator: string, { clauses }: Dialect): string[] {
  if (words.length === 1) return [operator + writeOperand(words[0]!)];
  if (clauses.includes('phrase')) return [`${operator}"${words.join(' ')}"`];
  return negated ? [] : words.map((word) => operator + writeOperand(word));
}

/** Writes `all...` as one operator per word. Negated, that would exclude too much. */
function writeSeparately(clause: FieldClause, dialect: Dialect): string[] {
  const kind = clause.kind === 'allintitle' ? 'intitle' : 'inurl';
  if (clause.negated && clause.words.length > 1) return [];
  return clause.words.flatMap((word) => writeClause({ kind, words: [word], negated: clause.negated }, dialect));
}

const fieldWords = ({ words, negated }: FieldClause): string[] => (negated ? [] : plainWords(words.join(' ')));

const writeOperand = (text: string): string => (PLAIN_OPERAND.test(text) ? text : `"${text}"`);

const isText = ({ kind }: Clause): boolean => kind === 'word' || kind === 'phrase';
const isList = ({ kind }: Clause): boolean => kind === 'allintitle' || kind === 'allinurl';
/** Several of these are alternatives: no page is on two sites or of two file types. */
const isAlternative = ({ kind, negated }: Clause): boolean => !negated && (kind === 'site' || kind === 'filetype');

function countWords(text: string): number {
  let count = 1;
  for (let at = text.indexOf(' '); at !== -1; at = text.indexOf(' ', at + 1)) count++;
  return count;
}

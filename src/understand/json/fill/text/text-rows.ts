// Rows of objects from plain lines: "500 g flour" is an amount and a thing. Also from tables without a header.
import type { DataTable } from '../../../../page/structured-data.ts';
import { type FieldName, fieldName, nameMatch } from '../field-names.ts';
import { type FillScope, type NamedValues, NO_GROUPS, type ScopeGroup } from '../scope.ts';

const MIN_ROWS = 2;
const MAX_ROWS = 200;
const MAX_LINE = 200;
const WEIGHT = 0.7;
const UNIT =
  'kg|g|mg|ml|cl|dl|l|oz|lbs?|cups?|tbsp|tsp|tablespoons?|teaspoons?|pinch(?:es)?|cloves?|cans?|slices?|EL|TL|Prisen?|Stück|Bund|Dosen?|Becher|Scheiben?|Zehen?|c\\. à (?:s|c)\\.?|cuillères?|gousses?|cucharadas?|cucharaditas?|dientes?|tazas?|cucchiai[oa]?|spicch[io]o?|el|tl';
const LINE = new RegExp(
  `^((?:ca\\. )?[\\d½¼¾⅓⅔][\\d½¼¾⅓⅔/.,–-]*(?: [½¼¾⅓⅔]| \\d/\\d)?)(?:\\s?(${UNIT})(?![\\p{L}]))?\\.?\\s+(?:of |de |d[’'])?(\\S.*)$`,
  'u',
);
const AMOUNT_ONLY = new RegExp(`^([\\d½¼¾⅓⅔][\\d½¼¾⅓⅔/.,–-]*)(?:\\s?(${UNIT}|\\p{L}{1,10}))?\\.?$`, 'u');
const [NAME, AMOUNT, UNIT_NAME, NUMBER] = [
  fieldName('name'),
  fieldName('amount of ingredient'),
  { words: ['unit'], concepts: new Map() } satisfies FieldName,
  fieldName('quantity'),
];

/** Lists that are called as the schema calls the rows. Sentences under a heading tell of them, and list nothing. */
export function listRows(named: readonly NamedValues[], wanted: FieldName): ScopeGroup[] {
  return named
    .filter(({ values, name, weight }) => {
      if (values.length < MIN_ROWS || weight * nameMatch(wanted, name) < 0.4) return false;
      return values.every(({ value }) => typeof value === 'string' && value.length <= MAX_LINE && !isSentence(value));
    })
    .slice(0, 3)
    .map(({ name, values }) => ({
      name,
      scopes: values.slice(0, MAX_ROWS).map(({ value }) => lineScope(String(value), name)),
      weight: WEIGHT,
    }));
}

const isSentence = (line: string): boolean => /\s\S+\s.*[.!?]$/.test(line) && !LINE.test(line);

function lineScope(line: string, name: FieldName): FillScope {
  const match = LINE.exec(line);
  const [amount, unit, rest] = match ? [match[1]!, match[2], match[3]!] : [undefined, undefined, line];
  return rowScope(name, rest, amount, unit);
}

function rowScope(name: FieldName, rest: string, amount: string | undefined, unit: string | undefined): FillScope {
  const said = (as: FieldName, value: string | undefined, weight: number): NamedValues[] =>
    value === undefined ? [] : [{ name: as, values: [{ value }], weight }];
  const whole = [amount, unit].filter((part) => part !== undefined).join(' ') || undefined;
  return {
    named: [
      ...said(NAME, rest, 0.8),
      ...said(name, rest, 0.8),
      ...said(UNIT_NAME, unit, 0.8),
      // With a field for the unit, the amount is the bare number, which numbers are read from in any case.
      ...said(AMOUNT, whole, 0.8),
      ...said(NUMBER, whole, 0.8),
    ],
    groups: NO_GROUPS,
  };
}

/** A table of two columns without a header, one of which has the amounts. */
export function bareTableRows(tables: readonly DataTable[]): ScopeGroup[] {
  return tables.flatMap(({ header, rows, section }): ScopeGroup[] => {
    if (header.length > 0 || section === undefined || rows.length < MIN_ROWS || rows[0]!.length !== 2) return [];
    const filled = rows.slice(0, MAX_ROWS).filter(([, thing]) => thing !== undefined && thing !== '');
    const amounts = filled.filter(([amount]) => AMOUNT_ONLY.test(amount!));
    if (amounts.length * 2 < filled.length || filled.length === 0) return [];
    const name = fieldName(section);
    const scopes = filled.map(([amount, thing]) => {
      const match = AMOUNT_ONLY.exec(amount!);
      return rowScope(name, thing!, match?.[1] ?? (amount || undefined), match?.[2]);
    });
    return [{ name, scopes, weight: 0.8 }];
  });
}

// What a part of a page (the page, a card of a list, an item of JSON-LD) says, as named values.
import type { DataItem, DataValue } from '../../../page/structured-data.ts';
import type { FieldName } from './field-names.ts';

export interface RawValue {
  value: DataValue;
  /** Absolute, if the value is a link. */
  href?: string;
}

/** Where on the page a value stands: in its data, in the state of its scripts, beside a label, ... */
export const SOURCES = ['item', 'state', 'pair', 'element', 'meta', 'title', 'text', 'sentence'] as const;
export type ValueSource = (typeof SOURCES)[number];

export interface NamedValues {
  name: FieldName;
  values: readonly RawValue[];
  /** How far the source can be trusted: 0 to 1. */
  weight: number;
  /** Present for values of a whole page. */
  from?: ValueSource;
  /** Only fits names that contain one of these words: `review.author` is not the author. */
  owner?: readonly string[];
}

/** Several parts of the page with the same structure. */
export interface ScopeGroup {
  name?: FieldName;
  scopes: readonly FillScope[];
  weight: number;
}

export interface FillScope {
  named: readonly NamedValues[];
  /** Candidates for lists of objects, made when needed. */
  groups: () => readonly ScopeGroup[];
}

export const standingIn = (from: ValueSource, named: readonly NamedValues[]): NamedValues[] =>
  named.map((each) => ({ ...each, from }));

export const isItem = (value: DataValue): value is DataItem => typeof value === 'object' && value !== null;

export const NO_GROUPS = (): readonly ScopeGroup[] => [];

// What a form shows for a part of a request: each kind has one control.

interface Shared {
  /** As the contract names it; the position for entries of a list. */
  name: string;
  label: string;
  /** The text of the contract. */
  help: string;
  /** What the service takes if nothing is sent. */
  default?: unknown;
  isRequired: boolean;
}

export interface TextField extends Shared {
  kind: 'text';
  /** Several lines. */
  isLong: boolean;
  maxLength?: number;
  suggestions?: readonly string[];
}

export interface NumberField extends Shared {
  kind: 'number';
  isInteger: boolean;
  minimum?: number;
  maximum?: number;
}

export interface ChoiceField extends Shared {
  kind: 'choice';
  options: readonly string[];
}

export interface ListField extends Shared {
  kind: 'list';
  entry: Field;
  maxEntries?: number;
}

export interface ObjectField extends Shared {
  kind: 'object';
  fields: readonly Field[];
}

/** Names that the caller chooses, such as headers. */
export interface MapField extends Shared {
  kind: 'map';
  value: Field;
}

/** One of several shapes: a text or an object, yes or an object. */
export interface UnionField extends Shared {
  kind: 'union';
  variants: readonly Field[];
}

/** Something with a type, written as the bare type or as an object with options. */
export interface Typed {
  type: string;
  label: string;
  /** Whether the bare type is accepted. */
  isBare: boolean;
  /** Whether an object is accepted. */
  isObject: boolean;
  fields: readonly Field[];
}

/** A choice of types, each at most once as a rule, such as formats. */
export interface PicksField extends Shared {
  kind: 'picks';
  types: readonly Typed[];
}

/** An ordered list of typed objects, such as actions. */
export interface StepsField extends Shared {
  kind: 'steps';
  types: readonly Typed[];
  maxEntries?: number;
}

/** Any JSON, or any JSON object. */
export interface JsonField extends Shared {
  kind: 'json';
  isObject: boolean;
}

export type Field =
  | TextField
  | NumberField
  | (Shared & { kind: 'boolean' })
  | ChoiceField
  | ListField
  | ObjectField
  | MapField
  | UnionField
  | PicksField
  | StepsField
  | JsonField;

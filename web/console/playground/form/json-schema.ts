// The part of JSON Schema that the contracts use.

export interface JsonSchema {
  $ref?: string;
  $defs?: Readonly<Record<string, JsonSchema>>;
  type?: string | readonly string[];
  const?: unknown;
  enum?: readonly unknown[];
  default?: unknown;
  /** What the service takes if the value is absent, where that is not a default of the schema itself. */
  whenAbsent?: unknown;
  /** Values that this version knows, where others are accepted, too. */
  examples?: readonly unknown[];
  description?: string;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
  items?: JsonSchema;
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  additionalProperties?: JsonSchema | boolean;
  anyOf?: readonly JsonSchema[];
  oneOf?: readonly JsonSchema[];
  allOf?: readonly JsonSchema[];
}

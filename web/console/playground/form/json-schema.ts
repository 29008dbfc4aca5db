// The part of JSON Schema that the contracts use.

export interface JsonSchema {
  $ref?: string;
  $defs?: Readonly<Record<string, JsonSchema>>;
  type?: string | readonly string[];
  const?: unknown;
  enum?: readonly unknown[];
  default?: unknown;
  description?: string;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: JsonSchema;
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  additionalProperties?: JsonSchema | boolean;
  anyOf?: readonly JsonSchema[];
  oneOf?: readonly JsonSchema[];
  allOf?: readonly JsonSchema[];
}

// What the jobs of gathering get and return: pages and links as plain data.
import type { Citation } from '../../page/understanding.ts';
import type { JsonSchema } from '../json/schema/subschemas.ts';

/** What is looked for. */
export interface GatherGoal {
  prompt?: string;
  schema?: JsonSchema;
}

export interface SourcePage {
  url: string;
  title?: string;
  description?: string;
  language?: string;
  markdown: string;
  links: string[];
  next?: string[];
  json?: unknown;
  /** By path: `json.price`. */
  citations?: Record<string, Citation>;
}

export interface WeightedPage {
  page: SourcePage;
  /** How well it fits the task: 0 to 1. */
  weight: number;
  /** The caller named its URL. */
  isNamed: boolean;
  /** The task is about it: what it says is the answer, whatever other pages say. */
  isMeant: boolean;
}

/** A page that could be read next. */
export interface LinkToRead {
  url: string;
  /** The text of the link, and what stands around it. */
  title?: string;
  description?: string;
  /** Language of the page with the link. */
  language?: string;
}

/** A detail page that was read for a row of a list, with the schema of the row. */
export interface ReadRow {
  page: SourcePage;
  /** Name of the row in the list; undefined if the list has no such row. */
  name?: string;
}

export interface MergedData {
  /** Undefined if nothing was found. */
  value: unknown;
  /** What the schema demands and the value does not fulfil. */
  problems: string[];
  /** By path: `products[0].price`. */
  sources: Record<string, string[]>;
  citations: Record<string, Citation>;
  /** Fields about which pages disagree, in words. */
  contradictions: string[];
}

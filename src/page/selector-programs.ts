// Programs that select values from pages of one template. They travel with the page, so that its thread runs them while it has
// the tree; what they select is in understanding.ts.

export interface SelectorRule {
  /** Where the value belongs: `name`, `seller.name`, `rows[].price`, `tags[]`. */
  path: string;
  /** CSS. Inside a list, it is looked for in each row. */
  selector: string;
  /** `text` or the name of an attribute. */
  take: string;
  /** What the rule selects on the page that it was written for; not kept once that was checked. */
  sample: string;
}

/** Which elements of a page hold the values of a schema. It is data; nothing in it is executed. */
export interface SelectorProgram {
  rules: SelectorRule[];
  /** The elements of a list of objects: path `rows` and the selector of a row. */
  lists: { path: string; selector: string }[];
}

/** A sketch of the named elements near the root, sorted. */
export type Template = number[];

export interface TemplateProgram {
  id: string;
  template: Template;
  program: SelectorProgram;
  /** Nothing is to be learnt from a page that it fits. */
  isSettled: boolean;
  /** Paths that some pages of the template do not have. */
  optional: string[];
}

/** What is known for one request of a caller. */
export interface AskedPrograms {
  /** Hash of the request. */
  asked: string;
  schema: Record<string, unknown>;
  programs: TemplateProgram[];
}

/** What is known for the formats of a request on one site. */
export interface SitePrograms {
  site: string;
  asked: AskedPrograms[];
}

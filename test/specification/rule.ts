// A line of the specification's tables as data: what the field may hold, what it must not, and what stands for it when
// it is absent.
export interface Rule {
  /** Where the field is in the body of a search, with dots: `scrapeOptions.timeout`. */
  field: string;
  /** What the OpenAPI file says about it: at least these keywords, with exactly these values. */
  schema?: Record<string, unknown>;
  accepts: unknown[];
  refuses?: unknown[];
  /** Further fields without which the value would be refused for another reason. */
  beside?: Record<string, unknown>;
}

/** The given number of texts, for the bounds of lists. */
export const many = (count: number, text = 'a.example'): string[] => Array.from({ length: count }, () => text);
export const text = (length: number): string => 'x'.repeat(length);

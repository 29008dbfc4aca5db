// A question to the web of the bench, and what counts as its answer.

export interface AskedQuestion {
  question: string;
  /** One of these stands in a right answer. Empty: no page says it. */
  answers: readonly string[];
}

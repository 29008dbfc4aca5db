// A page with questions about it: some it answers, in words that are labelled, some it does not.

export interface QuestionedPage {
  title: string;
  markdown: string;
  /** The question, and words of the sentence, row or item that answers it. */
  answered: readonly (readonly [question: string, answer: string])[];
  /** The same with other words than the page has: most share one word with the answer. */
  paraphrased?: readonly (readonly [question: string, answer: string])[];
  /** About the same subject, but not stated on the page. */
  unanswered: readonly string[];
}

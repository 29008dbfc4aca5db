// What the reader is asked about a text, and what it answers: spans of the text, each with how well it answers a question.

export interface TextSpan {
  /** UTF-16 offsets; `end` is exclusive. */
  start: number;
  end: number;
}

export interface ReadingQuestion {
  /** In words: "What is the price?" */
  question: string;
  /** Further spans to be judged, besides the pieces of the text. */
  places: readonly TextSpan[];
}

export interface ReadingTask {
  title: string;
  text: string;
  /**
   * The whole pieces of the text: cells, lines, short elements. Only they are proposed as answers. Start and end of each, one
   * after the other: there may be thousands, which pass through the main thread.
   */
  pieces: Int32Array;
  /** The pieces are sentences: what is found is the best span inside each. */
  inside?: true;
  questions: readonly ReadingQuestion[];
  /** How often the model may be run for all questions together. A run reads one window of the text. */
  maxRuns: number;
}

export interface ScoredSpan extends TextSpan {
  /** The score of the span as an answer, less the score of "no answer". */
  score: number;
}

export interface Reading {
  /** The best pieces and all places that were in a window, the best first. */
  spans: ScoredSpan[];
  /** How many windows of the text were read, and how many it has. */
  read: number;
  windows: number;
}

// An answer from several pages, and the passages that it rests on.

export interface AnswerCitation {
  url: string;
  title?: string;
  /** As in the format `chunks` of the page, without options. */
  chunkId: string;
  /** Verbatim from the chunk. */
  text: string;
}

export interface Answered {
  /** With the numbers of its citations, `[1]`; null if the pages do not say it. */
  answer: string | null;
  citations: AnswerCitation[];
  warnings: string[];
}

export const NOT_SAID: Pick<Answered, 'answer' | 'citations'> = { answer: null, citations: [] };

// What a browser captures in addition to the page itself: screenshots, PDFs, and the results of its actions.

export interface Capture {
  bytes: Uint8Array;
  type: 'image/png' | 'image/jpeg' | 'application/pdf';
}

/** Each list is in the order of its actions. */
export interface ActionResults {
  screenshots: Capture[];
  scrapes: { url: string; html: string }[];
  javascriptReturns: { type: string; value: unknown }[];
  pdfs: Capture[];
}

export interface Captures {
  /** For the format `screenshot`. */
  screenshot?: Capture;
  /** Absent when no actions were sent. */
  actions?: ActionResults;
}

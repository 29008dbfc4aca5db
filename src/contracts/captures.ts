// What a browser brings home beside a page: pictures and documents made of it, and what its actions found.

export interface Capture {
  bytes: Uint8Array;
  type: 'image/png' | 'image/jpeg' | 'application/pdf';
}

/** Each list is in the order of the actions that filled it. */
export interface ActionResults {
  screenshots: Capture[];
  scrapes: { url: string; html: string }[];
  javascriptReturns: { type: string; value: unknown }[];
  pdfs: Capture[];
}

export interface Captures {
  /** Of the format `screenshot`. */
  screenshot?: Capture;
  /** Absent when no actions were sent. */
  actions?: ActionResults;
}

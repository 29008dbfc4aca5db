// What a browser captures in addition to the page itself: screenshots, PDFs, styles, and the results of its actions.
import type { PageStyles } from './page-styles.ts';

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
  /** For the format `branding`. */
  styles?: PageStyles;
  /** Absent when no actions were sent. */
  actions?: ActionResults;
}

// What the index knows about a page. The transform creates it along with the requested formats, the store keeps it, the
// index searches it.

export interface IndexEntry {
  /** The normalised final URL, which identifies the page in the index. */
  url: string;
  title: string;
  /** The page's own description; may be empty. */
  description: string;
  /** The texts of the headings, one per line. */
  headings: string;
  /** The main content as plain text: one line per block, no markup. */
  body: string;
  /** Two lower-case letters, or '' if unknown. */
  language: string;
  /** Countries the page is meant for (its own hreflang, og:locale, lang), as two upper-case letters each. */
  countries: string[];
  /** Publication date according to the page. */
  publishedAt?: number;
  fetchedAt: number;
  /** As a file extension: html, pdf, txt, ... */
  fileType: string;
  isNews: boolean;
  /** Expected quality of the main content, 0 to 1. */
  quality: number;
  /** Links to other pages from anywhere on the page, each target once, with the link text. */
  links: EntryLink[];
  images: EntryImage[];
  /** The image that represents the page, if it names one. */
  imageUrl?: string;
  /** SimHash of the words, 16 hex digits. */
  simhash: string;
}

export interface EntryLink {
  url: string;
  text: string;
}

export interface EntryImage {
  url: string;
  /** According to the page; absent if not stated. */
  width?: number;
  height?: number;
  alt: string;
  caption: string;
}

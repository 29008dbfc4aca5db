// What the index knows of a page: made beside its other formats by the transform, kept by the store, searched by the index.

export interface IndexEntry {
  /** The normalised final address: the identity of a page in the index. */
  url: string;
  title: string;
  /** The page's own words about itself; may be empty. */
  description: string;
  /** The texts of its headings, one a line. */
  headings: string;
  /** The main content as plain text: a line a block, no markup. */
  body: string;
  /** Two lower-case letters, or '' when nobody knows. */
  language: string;
  /** Countries the page says it is for (hreflang of itself, og:locale, lang), two upper-case letters each. */
  countries: string[];
  /** When it says it was published. */
  publishedAt?: number;
  fetchedAt: number;
  /** As an extension: html, pdf, txt, ... */
  fileType: string;
  isNews: boolean;
  /** Expected quality of the main content, 0 to 1. */
  quality: number;
  /** Where the content and the rest of the page lead, with the words of the link; other pages only, each once. */
  links: EntryLink[];
  images: EntryImage[];
  /** The picture that stands for the page, if it names one. */
  imageUrl?: string;
  /** SimHash of its words, 16 hex digits. */
  simhash: string;
}

export interface EntryLink {
  url: string;
  text: string;
}

export interface EntryImage {
  url: string;
  /** As the page says; absent when it does not. */
  width?: number;
  height?: number;
  alt: string;
  caption: string;
}

// What the markup of a page says in a form that programs can read: JSON-LD and its relatives, meta tags, tables, lists.

/** A thing that the page describes in JSON-LD, microdata or RDFa. */
export interface DataItem {
  syntax: 'json-ld' | 'microdata' | 'rdfa';
  /** Without the address of the vocabulary: `Product`. */
  types: string[];
  id?: string;
  /** By the names of the vocabulary, without its address; values in document order. Names come from the page: use Object.hasOwn. */
  properties: Record<string, DataValue[]>;
}

/** Constants of the vocabulary have no address either: `InStock`. Addresses are absolute. */
export type DataValue = string | number | boolean | DataItem;

export interface DataTable {
  caption?: string;
  /** The heading above the table. */
  section?: string;
  /** Empty if the table has no header row. */
  header: string[];
  rows: string[][];
}

/** A label and its value: from `<dl>`, two-column tables, `Label: value` lines and the like. */
export interface LabelledValue {
  label: string;
  value: string;
  /** Absolute, if the value is a link. */
  href?: string;
}

/** One of several blocks with the same structure: a card of a list, a search result. */
export interface PageRecord {
  /** The heading or the main link text. */
  title?: string;
  href?: string;
  image?: string;
  /** The heading above the block. */
  section?: string;
  /** By itemprop, the words of the class ("product price"), the label in the text, or the tag. */
  fields: LabelledValue[];
  /** The whole text, for what has no field of its own. */
  text: string;
  /** If the record is an entry of a price list, in the order of the page. */
  prices?: ListPrice[];
}

export interface ListPrice {
  /** As it stands on the page. */
  value: string;
  /** What is sold at this price, if there are several: "0,5 l", "Bottle". */
  label?: string;
}

/** A small element with a name in the markup: `<span class="product-price">`. */
export interface NamedPart {
  tag: string;
  /** The words of its itemprop or class, and of its id. */
  name: string;
  text: string;
  href?: string;
  /** It stands in one of several blocks with the same structure. */
  isRepeated?: true;
}

/** A line of the part of the page that is about its main heading, as readers see it. */
export interface SubjectLine {
  text: string;
  /** The words of the classes and names of its elements. */
  name: string;
  /** What of it is struck through, or called an old price, in order. */
  struck?: string[];
  /** A button, and whether it can be pressed. */
  button?: 'on' | 'off';
  /** How many elements above the heading the part begins that has both. */
  distance: number;
  /** The number of the section with a heading of its own, or of the sidebar, in which it stands. */
  section?: number;
}

export interface Subject {
  /** The main heading; absent if the page has none. */
  title?: string;
  /** In document order, without cards of other things, navigation, and choices of a form. */
  lines: SubjectLine[];
  /** Labels with a value beside them, without any name in the markup. */
  pairs: LabelledValue[];
  image?: { url: string; alt?: string };
}

export interface StructuredData {
  items: DataItem[];
  /** Open Graph, Twitter cards and other meta tags. */
  meta: Record<string, string>;
  tables: DataTable[];
  pairs: LabelledValue[];
  /** Groups of blocks with the same structure, the largest first. */
  records: PageRecord[][];
  /** In document order, without navigation. */
  parts: NamedPart[];
  /** Objects in scripts that are plain JSON, for example the state of a shop. */
  embedded: EmbeddedJson[];
  subject?: Subject;
}

export interface EmbeddedJson {
  /** The id of the script, the variable, or the attribute: `__NEXT_DATA__`, `data-product_variations`. */
  name?: string;
  value: unknown;
}

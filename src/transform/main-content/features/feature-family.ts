// A family of features: a list of names, and an object that puts each value into the column of its name. Since values
// are written by name, names and values cannot drift apart; the trained model refers to the columns.

/** The features of one family for one page. A class, so that V8 keeps its optimised code from page to page. */
export interface FeatureFamily {
  /** Writes the features of one block. The columns of the family begin at `at`. */
  write(index: number, row: Float32Array, at: number): void;
}

/** The column of each feature within its family. */
export type Columns<Name extends string> = Readonly<Record<Name, number>>;

export function columnsOf<const Name extends string>(names: readonly Name[]): Columns<Name> {
  const columns = Object.fromEntries(names.map((name, column) => [name, column]));
  // An object from JSON.parse has fast properties: columns are looked up in the hottest loop of the service.
  return JSON.parse(JSON.stringify(columns)) as Columns<Name>;
}

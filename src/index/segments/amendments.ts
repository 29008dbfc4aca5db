// Occurrences that were added to docs of the write buffer after the docs themselves: the texts of links found later.
// Chains of postings only grow at their end, so these are kept beside them.

/** In both kinds of arrays here, a posting is the position of a doc in the buffer, and the weight in the low eight bits. */
interface AmendedTerm {
  /** New weights by position. */
  weights: Map<number, number>;
  /** How many of the docs did not have the term before. */
  newDocs: number;
  /** The same as postings in order, made on first use. */
  sorted?: Int32Array;
}

export class Amendments {
  readonly #terms = new Map<number, AmendedTerm>();

  /** The number of docs that have the term only by amendment. */
  newDocs(termId: number): number {
    return this.#terms.get(termId)?.newDocs ?? 0;
  }

  weight(termId: number, position: number): number | undefined {
    return this.#terms.get(termId)?.weights.get(position);
  }

  set(termId: number, position: number, weight: number, isNewDoc: boolean): void {
    const term = this.#terms.get(termId) ?? { weights: new Map<number, number>(), newDocs: 0 };
    term.weights.set(position, weight);
    if (isNewDoc) term.newDocs += 1;
    term.sorted = undefined;
    this.#terms.set(termId, term);
  }

  /** The postings of a term with its amendments. */
  applied(termId: number, postings: Int32Array): Int32Array {
    const term = this.#terms.get(termId);
    if (!term) return postings;
    term.sorted ??= Int32Array.from(term.weights, ([position, weight]) => (position << 8) | weight).sort();
    const { sorted, newDocs } = term;
    const merged = new Int32Array(postings.length + newDocs);
    let at = 0;
    for (let i = 0, count = 0; count < merged.length; count++) {
      const amended = at < sorted.length ? sorted[at]! >>> 8 : Number.POSITIVE_INFINITY;
      const own = i < postings.length ? postings[i]! >>> 8 : Number.POSITIVE_INFINITY;
      merged[count] = amended <= own ? sorted[at]! : postings[i]!;
      if (amended <= own) at += 1;
      if (own <= amended) i += 1;
    }
    return merged;
  }
}

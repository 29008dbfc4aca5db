// The k best docs, in a heap whose root is the worst of them.

export class TopK {
  /** Lower scores cannot enter. Callers check it first, to save the call for most docs. */
  threshold = Number.NEGATIVE_INFINITY;
  readonly #depth: number;
  readonly #numbers: number[] = [];
  readonly #scores: number[] = [];

  constructor(depth: number) {
    this.#depth = depth;
    if (depth <= 0) this.threshold = Number.POSITIVE_INFINITY;
  }

  offer(docId: number, score: number): void {
    if (this.#numbers.length < this.#depth) {
      this.#numbers.push(docId);
      this.#scores.push(score);
      this.#rise(this.#numbers.length - 1);
    } else if (score > this.threshold || (score === this.threshold && docId > this.#numbers[0]!)) {
      this.#numbers[0] = docId;
      this.#scores[0] = score;
      this.#sink();
    }
    if (this.#numbers.length >= this.#depth) this.threshold = this.#scores[0] ?? this.threshold;
  }

  /** Best first; of equal scores the higher id first. */
  sorted(): { docId: number; score: number }[] {
    return this.#numbers
      .map((docId, at) => ({ docId, score: this.#scores[at]! }))
      .sort((a, b) => b.score - a.score || b.docId - a.docId);
  }

  #isWorse(a: number, b: number): boolean {
    const difference = this.#scores[a]! - this.#scores[b]!;
    return difference < 0 || (difference === 0 && this.#numbers[a]! < this.#numbers[b]!);
  }

  #swap(a: number, b: number): void {
    const docId = this.#numbers[a]!;
    const score = this.#scores[a]!;
    this.#numbers[a] = this.#numbers[b]!;
    this.#scores[a] = this.#scores[b]!;
    this.#numbers[b] = docId;
    this.#scores[b] = score;
  }

  #rise(from: number): void {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!this.#isWorse(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #sink(): void {
    for (let at = 0; ; ) {
      const left = at * 2 + 1;
      const right = left + 1;
      let worst = at;
      if (left < this.#numbers.length && this.#isWorse(left, worst)) worst = left;
      if (right < this.#numbers.length && this.#isWorse(right, worst)) worst = right;
      if (worst === at) return;
      this.#swap(at, worst);
      at = worst;
    }
  }
}

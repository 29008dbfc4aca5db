// A doubly linked list: entries leave from either end or from the middle, all at constant cost.

export interface Link<T> {
  readonly value: T;
  before?: Link<T>;
  after?: Link<T>;
}

export interface LinkedList<T> {
  readonly size: number;
  readonly first: T | undefined;
  readonly last: T | undefined;
  /** Adds at the end. The link is for `remove`, which is called once. */
  add(value: T): Link<T>;
  remove(link: Link<T>): void;
  /** From first to last. */
  values(): Iterable<T>;
}

export function createLinkedList<T>(): LinkedList<T> {
  let size = 0;
  let first: Link<T> | undefined;
  let last: Link<T> | undefined;
  return {
    get size() {
      return size;
    },
    get first() {
      return first?.value;
    },
    get last() {
      return last?.value;
    },
    add(value) {
      const link: Link<T> = { value, before: last };
      if (last) last.after = link;
      first ??= link;
      last = link;
      size += 1;
      return link;
    },
    remove(link) {
      if (link.before) link.before.after = link.after;
      else first = link.after;
      if (link.after) link.after.before = link.before;
      else last = link.before;
      size -= 1;
    },
    *values() {
      for (let link = first; link; link = link.after) yield link.value;
    },
  };
}

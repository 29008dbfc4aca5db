// How many letters two words differ by.

export const editDistance = (a: string, b: string): number => toBeginnings(a, b).at(-1)!;

/** The distance to the beginning of `b` that is most like `a`. */
export const distanceToBeginning = (a: string, b: string): number => Math.min(...toBeginnings(a, b));

/** From `a` to each beginning of `b`, from none of it to all of it. */
function toBeginnings(a: string, b: string): number[] {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row;
}

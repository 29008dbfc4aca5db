// A text with the words of the query marked. It comes from the web and is shown as text only.
import type { Hit } from './names.ts';

export function MarkedText({ segments }: { segments: Hit['marked']['title'] }) {
  return (
    <bdi>{segments.map(({ text, isMatch }, position) => (isMatch ? <mark key={position}>{text}</mark> : text))}</bdi>
  );
}

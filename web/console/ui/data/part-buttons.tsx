// Forwards and back in a long list.
import { Button } from '../controls/button.tsx';
import type { Parts } from './use-parts.ts';

export function PartButtons({ parts, what }: { parts: Parts<unknown>; what: string }) {
  if (!parts.next && !parts.previous) return null;
  return (
    <nav class="row stored-parts" aria-label={`More ${what}`}>
      <Button isSmall disabled={!parts.previous} onClick={() => parts.previous?.()}>
        Previous
      </Button>
      <span class="small soft number">Part {parts.number}</span>
      <Button isSmall disabled={!parts.next} onClick={() => parts.next?.()}>
        Next
      </Button>
    </nav>
  );
}

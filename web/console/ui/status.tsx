// A state in a word, with a colour that repeats it.
import type { ComponentChildren } from 'preact';

export type Tone = 'good' | 'busy' | 'warn' | 'bad' | 'idle';

export const Status = ({ tone, children }: { tone: Tone; children: ComponentChildren }) => (
  <span class={`status status-${tone}`}>{children}</span>
);

// A state in a word, with a colour that repeats it.
import type { ComponentChildren } from 'preact';
import type { Tone } from './tone.ts';

export type { Tone };

export const Status = ({ tone, children }: { tone: Tone; children: ComponentChildren }) => (
  <span class={`status status-${tone}`}>{typeof children === 'string' ? capital(children) : children}</span>
);

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

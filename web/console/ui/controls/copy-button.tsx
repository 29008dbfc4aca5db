// Copies a text, and says that it did.
import { useState } from 'preact/hooks';
import { toast } from '../states/toasts.tsx';
import { Button } from './button.tsx';

const SHOWN_MS = 2_000;

export function CopyButton({ text, label = 'Copy' }: { text: string | (() => string); label?: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await copyText(typeof text === 'string' ? text : text());
      setCopied(true);
      setTimeout(() => setCopied(false), SHOWN_MS);
    } catch {
      toast('The browser did not allow copying. Select the text and copy it yourself.', 'bad');
    }
  };
  return (
    <Button isSmall kind="quiet" icon={isCopied ? 'check' : 'copy'} onClick={copy}>
      {isCopied ? 'Copied' : label}
    </Button>
  );
}

/** The clipboard of the platform exists only on https and loopback; the console may be open at another address. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  const isDone = document.execCommand('copy');
  area.remove();
  if (!isDone) throw new Error('not copied');
}

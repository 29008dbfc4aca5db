// Dialogs of the platform: they hold the focus, and Escape closes them.
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Button } from './button.tsx';

interface Props {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  /** Buttons at the foot. */
  actions?: ComponentChildren;
  isWide?: boolean;
}

export function Dialog({ title, onClose, children, actions, isWide }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const opener = document.activeElement;
    element.current?.showModal();
    firstControl(element.current)?.focus();
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={`dialog${isWide ? ' dialog-wide' : ''}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div class="dialog-inner">
        <div class="dialog-head">
          <h2 id={id}>{title}</h2>
          <Button kind="quiet" isSmall icon="close" label="Close" onClick={onClose} />
        </div>
        <div class="dialog-body">{children}</div>
        {actions !== undefined && <div class="dialog-actions">{actions}</div>}
      </div>
    </dialog>
  );
}

/** What the dialog is for: its first field or link, else its first button (in questions the harmless one), not the cross. */
const firstControl = (dialog: HTMLElement | null): HTMLElement | null | undefined =>
  dialog?.querySelector<HTMLElement>('[autofocus]') ??
  dialog?.querySelector<HTMLElement>('.dialog-body :is(a[href], input, select, textarea, button):not(:disabled)') ??
  dialog?.querySelector<HTMLElement>('.dialog-actions .button:not(:disabled)');

interface Question {
  title: string;
  text: ComponentChildren;
  /** The word on the button that does it. */
  action: string;
  isDangerous?: boolean;
}

const asked = signal<(Question & { answer: (isSure: boolean) => void }) | undefined>(undefined);

/** Asks before something that cannot be undone. */
export function confirm(question: Question): Promise<boolean> {
  return new Promise((resolve) => {
    asked.value = {
      ...question,
      answer(isSure) {
        asked.value = undefined;
        resolve(isSure);
      },
    };
  });
}

/** Shows the question that `confirm` asks. It is placed once, in the frame. */
export function Confirmation() {
  const question = asked.value;
  if (!question) return null;
  const { title, text, action, isDangerous = true, answer } = question;
  return (
    <Dialog
      title={title}
      onClose={() => answer(false)}
      actions={
        <>
          <Button onClick={() => answer(false)}>Cancel</Button>
          <Button kind={isDangerous ? 'danger' : 'primary'} onClick={() => answer(true)}>
            {action}
          </Button>
        </>
      }
    >
      <div>{text}</div>
    </Dialog>
  );
}

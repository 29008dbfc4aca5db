// Text that is being written and may not be valid yet. The form is sent only if every draft in it is valid.
import { createContext } from 'preact';
import { useContext, useEffect, useId, useState } from 'preact/hooks';
import { isSame } from '../values.ts';

/** Problems of drafts, by the id of their control. */
export type DraftProblems = Map<string, string>;

export const DraftContext = createContext<DraftProblems>(new Map());

interface Draft<T> {
  text: string;
  problem: string | undefined;
  write: (text: string) => void;
  /** What the text means, if it is valid. */
  value: T | undefined;
}

export type ReadDraft<T> = (text: string) => { value: T | undefined } | { problem: string };

/** Keeps the text as it is typed. A value that changes from elsewhere replaces it. */
export function useDraft<T>(
  value: T | undefined,
  format: (value: T) => string,
  read: ReadDraft<T>,
  onChange: (value: T | undefined) => void,
): Draft<T> {
  const id = useId();
  const problems = useContext(DraftContext);
  const [draft, setDraft] = useState({ text: value === undefined ? '' : format(value), value });
  const text = isSame(draft.value, value) ? draft.text : value === undefined ? '' : format(value);
  const outcome = read(text);
  const problem = 'problem' in outcome ? outcome.problem : undefined;
  useEffect(() => {
    if (problem === undefined) problems.delete(id);
    else problems.set(id, problem);
    return () => void problems.delete(id);
  }, [problem, id, problems]);
  return {
    text,
    problem,
    value: 'value' in outcome ? outcome.value : undefined,
    write(next) {
      const now = read(next);
      // While the text is not valid, the last valid value stays.
      const meant = 'value' in now ? now.value : value;
      setDraft({ text: next, value: meant });
      if ('value' in now && !isSame(meant, value)) onChange(meant);
    },
  };
}

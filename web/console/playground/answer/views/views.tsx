// The views of an answer as tabs, and a second one beside the first if the reader wants to compare.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Field, Select } from '../../../ui/controls/field.tsx';
import { Tabs } from '../../../ui/controls/tabs.tsx';
import { listOf } from '../../../ui/data/untrusted.ts';
import { PagesView } from './pages-view.tsx';
import { chosenView, documentViews, type View } from './view.ts';
import { ViewBody } from './view-body.tsx';

/** A view that is no part of the answer itself. */
export interface OwnView {
  id: string;
  label: string;
  content: ComponentChildren;
}

interface Props {
  views: readonly View[];
  /** Says what the tabs are about. */
  label: string;
  own?: readonly OwnView[];
  /** The views of the reader's own come first. */
  isOwnFirst?: boolean;
  /** Whether a second view can be shown beside the first. */
  isComparable?: boolean;
  /** Keeps the choice while there is no answer. */
  memory?: ViewMemory;
}

export interface ViewMemory {
  chosen?: string;
  beside?: string;
}

const NOTHING = '';

export function Views({ views, label, own = [], isOwnFirst = false, isComparable = true, memory = {} }: Props) {
  const [chosen, setChosen] = useState(memory.chosen);
  const [beside, setBeside] = useState(memory.beside ?? NOTHING);
  const choose = (id: string) => {
    memory.chosen = id;
    setChosen(id);
  };
  const chooseBeside = (id: string) => {
    memory.beside = id;
    setBeside(id);
  };
  const given = views.map(({ id, label: text, count }) => ({ id, label: text, count }));
  const tabs = isOwnFirst ? [...own, ...given] : [...given, ...own];
  const current = tabs.find(({ id }) => id === chosen)?.id ?? tabs[0]?.id;
  if (current === undefined) return <p class="soft">The answer has no content.</p>;
  const others = tabs.filter(({ id }) => id !== current);
  const second = others.find(({ id }) => id === beside)?.id;
  const shown = (id: string) => {
    const mine = own.find((each) => each.id === id);
    if (mine) return mine.content;
    const view = chosenView(views, id);
    return (
      view && (
        <ViewBody key={id} view={view}>
          {ownContent(view)}
        </ViewBody>
      )
    );
  };
  return (
    <div class="answer-views">
      <Tabs label={label} tabs={tabs} current={current} onSelect={choose}>
        {isComparable && others.length > 0 && (
          <div class="answer-beside">
            <Field label="Show beside it">
              <Select
                value={second ?? NOTHING}
                options={[
                  { value: NOTHING, label: 'nothing' },
                  ...others.map(({ id, label: text }) => ({ value: id, label: text })),
                ]}
                onInput={chooseBeside}
              />
            </Field>
          </div>
        )}
        <div class={second === undefined ? 'answer-panes' : 'answer-panes is-split'}>
          <div class="answer-half">{shown(current)}</div>
          {second !== undefined && <div class="answer-half">{shown(second)}</div>}
        </div>
      </Tabs>
    </div>
  );
}

/** Pages have views in turn. */
const ownContent = ({ kind, value }: View) =>
  kind === 'pages' ? (
    <PagesView
      pages={listOf(value)}
      show={(page) => <Views views={documentViews(page)} label="Views of the chosen page" isComparable={false} />}
    />
  ) : undefined;

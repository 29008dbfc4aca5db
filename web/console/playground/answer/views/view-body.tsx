// One view: its buttons, and what it shows.
import type { ComponentChildren } from 'preact';
import { Button, ButtonLink } from '../../../ui/controls/button.tsx';
import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import { JsonView } from '../../../ui/data/json-view.tsx';
import { listOf } from '../../../ui/data/untrusted.ts';
import { Markdown } from '../../../ui/text/markdown.tsx';
import { saveText } from '../../../ui/text/save-text.ts';
import { ChangesView } from './changes-view.tsx';
import { DataTables } from './data-tables.tsx';
import { LinksView } from './links-view.tsx';
import { OutputView } from './output-view.tsx';
import { PreviewView } from './preview/preview-view.tsx';
import { ScreenshotView } from './preview/screenshot-view.tsx';
import { ResultsView } from './results-view.tsx';
import { TextView } from './text-view.tsx';
import { imageSource, type View, viewText } from './view.ts';

interface Props {
  view: View;
  /** Shown instead of what the kind of the view says. */
  children?: ComponentChildren;
}

export function ViewBody({ view, children }: Props) {
  const { label, file } = view;
  const picture = view.kind === 'screenshot' ? imageSource(viewText(view)) : undefined;
  return (
    <div class="stack-tight answer-view">
      <div class="answer-view-head">
        <span class="small soft">{label}</span>
        <span class="row">
          <CopyButton text={() => viewText(view)} />
          {picture ? (
            <ButtonLink isSmall kind="quiet" icon="download" href={picture} download="screenshot">
              Download
            </ButtonLink>
          ) : (
            <Button isSmall kind="quiet" icon="download" onClick={() => saveText(file.name, file.type, viewText(view))}>
              Download
            </Button>
          )}
        </span>
      </div>
      {children ?? <Shown view={view} />}
    </div>
  );
}

function Shown({ view: { kind, value, label } }: { view: View }) {
  const text = typeof value === 'string' ? value : '';
  switch (kind) {
    case 'markdown':
      return <Markdown text={text} label={label} />;
    case 'text':
      return <TextView text={text} label={label} />;
    case 'preview':
      return <PreviewView html={text} />;
    case 'screenshot':
      return <ScreenshotView link={text} />;
    case 'links':
      return <LinksView value={value} label={label} />;
    case 'data':
      return <DataTables value={value} label={label} />;
    case 'changes':
      return <ChangesView value={value} />;
    case 'results':
      return <ResultsView results={listOf(value)} label={label} />;
    case 'pages':
      return null;
    case 'output':
      return <OutputView value={value} />;
    case 'json':
      return <JsonView value={value} label={label} />;
  }
}

// The manual of this version, which the service serves itself: it can be read without a network.
import type { TargetedMouseEvent } from 'preact';
import { useMemo } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { call } from '../api/call.ts';
import { PageHead } from '../ui/page-head.tsx';
import { Problem } from '../ui/states/problem.tsx';
import { Skeleton } from '../ui/states/skeleton.tsx';
import { useLoad } from '../ui/states/use-load.ts';
import { Markdown } from '../ui/text/markdown.tsx';
import { withConsoleLinks } from './manual-links.ts';

const FIRST = '1-start.md';
const PATH = '/console/manual/';

export function Manual({ chapter = FIRST }: { chapter?: string }) {
  const contents = useLoad((signal) => call('chapters', { signal }), []);
  const { route } = useLocation();
  const follow = (event: TargetedMouseEvent<HTMLElement>) => {
    const link = (event.target as Element).closest('a');
    if (!link?.href.startsWith(`${location.origin}${PATH}`) || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    route(link.href.slice(location.origin.length));
  };
  return (
    <>
      <PageHead title="Manual" intro="The manual of the version that runs here. It is part of the service." />
      {contents.error ? <Problem error={contents.error} onRetry={contents.reload} /> : null}
      <div class="manual">
        <nav class="manual-contents" aria-label="Chapters">
          {contents.data === undefined ? (
            <Skeleton lines={24} label="Loading the chapters" />
          ) : (
            <ul>
              {contents.data.chapters.map(({ name, title }) => (
                <li key={name}>
                  <a href={`${PATH}${name}`} aria-current={name === chapter ? 'page' : undefined}>
                    {title}
                  </a>
                </li>
              ))}
            </ul>
          )}
        </nav>
        {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the links inside are pressed. */}
        <div onClick={follow}>
          <Chapter key={chapter} name={chapter} />
        </div>
      </div>
    </>
  );
}

function Chapter({ name }: { name: string }) {
  const { data, error, reload } = useLoad((signal) => call('manual', { params: { name }, signal }), [name]);
  const text = useMemo(() => data && withConsoleLinks(String(data), `${location.origin}${PATH}`), [data]);
  if (error) return <Problem error={error} onRetry={reload} />;
  if (text === undefined) return <Skeleton lines={20} label="Loading the chapter" />;
  return (
    <>
      <h2 class="visually-hidden">Chapter {name}</h2>
      <Markdown text={text} label={`Chapter ${name}`} />
    </>
  );
}

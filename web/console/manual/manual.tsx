// The manual of this version, which the service serves itself: it can be read without a network.
import type { TargetedMouseEvent } from 'preact';
import { useCallback, useMemo } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { call } from '../api/call.ts';
import { PageHead } from '../ui/page-head.tsx';
import { Problem } from '../ui/states/problem.tsx';
import { Skeleton } from '../ui/states/skeleton.tsx';
import { useLoad } from '../ui/states/use-load.ts';
import { Markdown } from '../ui/text/markdown.tsx';
import { headingAt } from './heading-anchor.ts';
import { withConsoleLinks } from './manual-links.ts';

const FIRST = { group: 'use', name: 'start.md' };
const PATH = '/console/manual/';
const GROUPS: Readonly<Record<string, string>> = { use: 'Use it', operate: 'Run it', extend: 'Extend it' };

interface Place {
  group: string;
  name: string;
}

export function Manual({ group, name }: Partial<Place>) {
  const chapter = group && name ? { group, name } : FIRST;
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
            Object.entries(Object.groupBy(contents.data.chapters, (each) => each.group)).map(
              ([title, chapters = []]) => (
                <Contents key={title} title={GROUPS[title] ?? title} chapters={chapters} current={nameOf(chapter)} />
              ),
            )
          )}
          <a href="/console/third-party-notices.txt" target="_blank" rel="noreferrer">
            Third-party notices
          </a>
        </nav>
        {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the links inside are pressed. */}
        <div onClick={follow}>
          <Chapter key={nameOf(chapter)} {...chapter} fragment={location.hash} />
        </div>
      </div>
    </>
  );
}

const nameOf = ({ group, name }: Place): string => `${group}/${name}`;

interface ContentsProps {
  title: string;
  chapters: readonly { name: string; title: string }[];
  current: string;
}

const Contents = ({ title, chapters, current }: ContentsProps) => (
  <>
    <h2>{title}</h2>
    <ul>
      {chapters.map((each) => (
        <li key={each.name}>
          <a href={`${PATH}${each.name}`} aria-current={each.name === current ? 'page' : undefined}>
            {each.title}
          </a>
        </li>
      ))}
    </ul>
  </>
);

function Chapter({ group, name, fragment }: Place & { fragment: string }) {
  const path = `${group}/${name}`;
  const { data, error, reload } = useLoad((signal) => call('manual', { params: { group, name }, signal }), [path]);
  const text = useMemo(() => data && withConsoleLinks(String(data), `${location.origin}${PATH}`, path), [data, path]);
  const goToHeading = useCallback((content: Element) => headingAt(content, fragment)?.scrollIntoView(), [fragment]);
  if (error) return <Problem error={error} onRetry={reload} />;
  if (text === undefined) return <Skeleton lines={20} label="Loading the chapter" />;
  return (
    <>
      <h2 class="visually-hidden">Chapter {path}</h2>
      <Markdown text={text} label={`Chapter ${path}`} onShown={goToHeading} />
    </>
  );
}

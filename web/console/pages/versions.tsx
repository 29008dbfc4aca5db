// The versions of a tracked page, newest first, and how one differs from another.
import { useState } from 'preact/hooks';
import type { ResponseOf } from '../../../src/contracts/route-types.ts';
import { call } from '../api/call.ts';
import { ButtonLink } from '../ui/controls/button.tsx';
import { Field, Select } from '../ui/controls/field.tsx';
import { bytes, plural } from '../ui/data/format.ts';
import { Time } from '../ui/data/time.tsx';
import { plainLine } from '../ui/data/untrusted.ts';
import { Empty } from '../ui/states/empty.tsx';
import { Problem } from '../ui/states/problem.tsx';
import { Skeleton } from '../ui/states/skeleton.tsx';
import { Status, type Tone } from '../ui/states/status.tsx';
import { useLoad } from '../ui/states/use-load.ts';
import { CodeBlock } from '../ui/text/code-block.tsx';
import { DiffView } from './diff-view.tsx';

type Track = ResponseOf<'pageVersions'>['data'][number];
type Version = Track['versions'][number];

const STATES: Record<Version['status'], { tone: Tone; text: string }> = {
  new: { tone: 'good', text: 'First seen' },
  changed: { tone: 'busy', text: 'Changed' },
  same: { tone: 'good', text: 'Back unchanged' },
  removed: { tone: 'bad', text: 'Gone' },
};

export function Versions({ url }: { url: string }) {
  const { data, error, reload } = useLoad((signal) => call('pageVersions', { query: { url }, signal }), [url]);
  if (error) return <Problem error={error} onRetry={reload} />;
  if (!data) return <Skeleton lines={8} label="Loading versions" />;
  if (data.data.length === 0) return <NotTracked url={url} />;
  return (
    <>
      {data.data.map((track) => (
        <TrackView key={`${track.tag} ${track.redacted}`} url={url} track={track} hasOthers={data.data.length > 1} />
      ))}
    </>
  );
}

function TrackView({ url, track, hasOthers }: { url: string; track: Track; hasOthers: boolean }) {
  const { tag, redacted, versions } = track;
  const texts = versions.filter(({ status }) => status !== 'removed');
  const [to, setTo] = useState(() => texts[0]?.id);
  const [from, setFrom] = useState<number | undefined>(undefined);
  const before = texts.find(({ id }) => to !== undefined && id < to)?.id;
  const choose = (id: number) => {
    setTo(id);
    setFrom(undefined);
  };
  return (
    <section class="stack" aria-label={tag ? `Versions with the tag ${plainLine(tag, 80)}` : 'Versions'}>
      {(hasOthers || tag || redacted) && (
        <h3>
          {tag ? `Tag “${plainLine(tag, 80)}”` : 'Without a tag'}
          {redacted && ', redacted'}
        </h3>
      )}
      <ol class="stored-versions">
        {versions.map((version) => (
          <VersionRow key={version.id} version={version} isShown={version.id === to} onShow={choose} />
        ))}
      </ol>
      {to !== undefined && texts.length > 1 && (
        <div class="stored-compare">
          <Field label="Compared with">
            <Select
              value={String(from ?? before ?? '')}
              options={[
                ...(from === undefined && before === undefined
                  ? [{ value: '', label: 'nothing: it is the first one' }]
                  : []),
                ...texts
                  .filter(({ id }) => id !== to)
                  .map(({ id, at }) => ({
                    value: String(id),
                    label: `the version of ${new Date(at).toLocaleString()}`,
                  })),
              ]}
              onInput={(value) => setFrom(value === '' ? undefined : Number(value))}
            />
          </Field>
        </div>
      )}
      {to !== undefined && <DiffView url={url} to={to} from={from} />}
    </section>
  );
}

interface RowProps {
  version: Version;
  isShown: boolean;
  onShow: (id: number) => void;
}

function VersionRow({ version: { id, at, lastSeenAt, status, bytes: size }, isShown, onShow }: RowProps) {
  const { tone, text } = STATES[status];
  const facts = (
    <>
      <Status tone={tone}>{text}</Status>
      <span class="number">{new Date(at).toLocaleString()}</span>
      <span class="small faint">
        <Time at={at} />
      </span>
      {lastSeenAt !== at && (
        <span class="small faint">
          last seen <Time at={lastSeenAt} />
        </span>
      )}
      {size > 0 && <span class="small faint number">{bytes(size)}</span>}
    </>
  );
  return (
    <li class="stored-version">
      {status === 'removed' ? (
        <div class="stored-version-button">{facts}</div>
      ) : (
        <button
          type="button"
          class="stored-version-button"
          aria-pressed={isShown ? 'true' : 'false'}
          onClick={() => onShow(id)}
        >
          {facts}
        </button>
      )}
    </li>
  );
}

function NotTracked({ url }: { url: string }) {
  const body = JSON.stringify({ url, formats: ['markdown', 'changeTracking'] }, null, 2);
  return (
    <Empty title="The changes of this page are not tracked">
      <p class="soft">
        Each request with the format <code>changeTracking</code> compares the page with the last look at it. Every
        change becomes a version here; the last {plural(20, 'version')} are kept.
      </p>
      <CodeBlock label="Body of POST /v2/scrape" text={body} />
      <p class="soft">A monitor looks at a page on a schedule and tells you what changed, by webhook or e-mail.</p>
      <div class="row">
        <ButtonLink href="/console/manual/use/change-tracking.md">How tracking works</ButtonLink>
        <ButtonLink href="/console/manual/use/monitors.md">How monitors work</ButtonLink>
      </div>
    </Empty>
  );
}

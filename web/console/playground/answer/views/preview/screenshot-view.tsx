// A screenshot: fitted to the width, or in its own size.
import { useState } from 'preact/hooks';
import { Toggle } from '../../../../ui/controls/field.tsx';
import { WebLink } from '../../../../ui/text/web-link.tsx';
import { imageSource } from '../view.ts';

export function ScreenshotView({ link }: { link: string }) {
  const [isWhole, setWhole] = useState(false);
  const [isGone, setGone] = useState(false);
  const source = imageSource(link);
  if (source === undefined) {
    return (
      <p>
        The screenshot is not a file of this server: <WebLink href={link} />
      </p>
    );
  }
  return (
    <>
      <div>
        <Toggle isOn={isWhole} onChange={setWhole}>
          Actual size
        </Toggle>
      </div>
      {isGone && <p class="notice notice-warn">The picture is gone: links to files work for 24 hours.</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <section class={`answer-picture${isWhole ? ' is-whole' : ''}`} tabIndex={0} aria-label="Screenshot">
        <img src={source} alt="Screenshot of the page" onError={() => setGone(true)} />
      </section>
    </>
  );
}

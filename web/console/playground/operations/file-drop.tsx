// Chooses the file to parse: dropped here, or picked with the dialog of the browser, also by keyboard.
import { useId, useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import { Button } from '../../ui/controls/button.tsx';
import { bytes } from '../../ui/data/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { useLoad } from '../../ui/states/use-load.ts';
import { manualChapter } from './manual-chapter.ts';

interface Props {
  file: File | undefined;
  onChange: (file: File | undefined) => void;
}

export function FileDrop({ file, onChange }: Props) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const { data: known } = useLoad((signal) => call('parseFormats', { signal }), []);
  const maxBytes = known?.data.maxBytes;
  const accepted = known?.data.formats.filter(({ available }) => available) ?? [];
  const extensions = accepted.flatMap(({ extensions: list }) => list);
  const isTooLarge = file !== undefined && maxBytes !== undefined && file.size > maxBytes;
  return (
    <div class="field">
      <label class="field-label" for={id}>
        File
      </label>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is for mice; the input below does the same by keyboard. */}
      <div
        class={`file-drop${isOver ? ' file-drop-over' : ''}`}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          const dropped = event.dataTransfer?.files[0];
          if (dropped) onChange(dropped);
        }}
      >
        <Icon name="upload" size={28} />
        <p>
          {file ? (
            <>
              <strong>{file.name}</strong> <span class="soft number">{bytes(file.size)}</span>
            </>
          ) : (
            'Drop a file here, or choose one.'
          )}
        </p>
        <input
          id={id}
          type="file"
          class="file-input"
          accept={extensions.length > 0 ? extensions.map((extension) => `.${extension}`).join(',') : undefined}
          aria-describedby={`${id}-help`}
          onChange={({ currentTarget }) => {
            const chosen = currentTarget.files?.[0];
            if (chosen) onChange(chosen);
          }}
        />
        {!file && (
          <Button kind="quiet" isSmall onClick={() => void manualChapter().then(onChange)}>
            Use a chapter of the manual
          </Button>
        )}
      </div>
      {isTooLarge && (
        <p class="field-error" role="alert">
          This file has {bytes(file.size)}, and the server takes {bytes(maxBytes)} at most. Choose a smaller file.
        </p>
      )}
      <p id={`${id}-help`} class="field-help">
        {maxBytes === undefined ? 'The server says how large a file may be.' : `Up to ${bytes(maxBytes)}.`}{' '}
        {extensions.length > 0 && `The server reads ${extensions.length} kinds of files, by content and by name.`}
      </p>
    </div>
  );
}

// A dialog with the live view of a browser session.
import { Dialog } from '../../ui/controls/dialog.tsx';
import { LiveFrame } from '../../ui/live-frame.tsx';

export const LiveView = ({ url, onClose }: { url: string; onClose: () => void }) => (
  <Dialog title="Live view" isWide onClose={onClose}>
    <p class="small soft">This is what the browser of the session shows now. You can look, but not click.</p>
    <LiveFrame title="Live view of the session" url={url} />
  </Dialog>
);

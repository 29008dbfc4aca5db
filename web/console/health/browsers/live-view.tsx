// The live view of a browser session, in a frame of our own page.
import { Dialog } from '../../ui/dialog.tsx';

/** Only the path: the link may name another address of this service, which a frame must not show. */
const pathOf = (url: string): string => new URL(url, location.href).pathname;

export const LiveView = ({ url, onClose }: { url: string; onClose: () => void }) => (
  <Dialog title="Live view" isWide onClose={onClose}>
    <p class="small soft">This is what the browser of the session shows now. You can look, but not click.</p>
    <iframe class="live-view" title="Live view of the session" src={pathOf(url)} />
  </Dialog>
);

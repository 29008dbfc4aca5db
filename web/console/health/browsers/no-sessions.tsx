// What is shown while no session is open: how to open one.
import { ButtonLink } from '../../ui/controls/button.tsx';
import { Empty } from '../../ui/states/empty.tsx';

export const NoSessions = () => (
  <Empty title="No session is open">
    <p>A session is a browser that you drive yourself, with Playwright, Puppeteer or by hand.</p>
    <ButtonLink href="/console/playground/browser">Open one in the playground</ButtonLink>
  </Empty>
);

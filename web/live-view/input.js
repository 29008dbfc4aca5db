// Mouse, wheel and touch input on the picture, as positions within it.

const BUTTONS = ['left', 'middle', 'right'];
const CLICK_MS = 500;
const CLICK_DISTANCE = 5;
const LINE_PIXELS = 40;
const TAP_DISTANCE = 8;

export const modifiersOf = ({ altKey, ctrlKey, metaKey, shiftKey }) =>
  (altKey ? 1 : 0) | (ctrlKey ? 2 : 0) | (metaKey ? 4 : 0) | (shiftKey ? 8 : 0);

export function takePointer(picture, { send, focus }) {
  const clicks = countClicks();
  const touches = takeTouches(picture, send, focus);
  let moved;

  const tell = (event, name, button, count) =>
    send({
      type: 'mouse',
      event: name,
      ...placeOf(event, picture),
      button,
      buttons: event.buttons,
      clicks: count,
      modifiers: modifiersOf(event),
    });
  // A mouse reports moves more often than the picture can change.
  const move = (event) => {
    if (moved === undefined) requestAnimationFrame(tellMove);
    moved = event;
  };
  const tellMove = () => {
    const event = moved;
    moved = undefined;
    if (!event) return;
    const held = [1, 4, 2].findIndex((bit) => event.buttons & bit);
    tell(event, 'move', BUTTONS[held] ?? 'none', 0);
  };

  picture.addEventListener('pointerdown', (event) => {
    if (event.pointerType === 'touch') return touches.down(event);
    event.preventDefault();
    focus();
    picture.setPointerCapture(event.pointerId);
    if (event.button < BUTTONS.length) tell(event, 'down', BUTTONS[event.button], clicks.down(event));
  });
  picture.addEventListener('pointermove', (event) => {
    if (event.pointerType === 'touch') return touches.move(event);
    move(event);
  });
  picture.addEventListener('pointerup', (event) => {
    if (event.pointerType === 'touch') return touches.up(event);
    tellMove();
    if (event.button < BUTTONS.length) tell(event, 'up', BUTTONS[event.button], clicks.count());
  });
  picture.addEventListener('pointercancel', touches.cancel);
  picture.addEventListener('contextmenu', (event) => event.preventDefault());
  picture.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : LINE_PIXELS;
      scroll(picture, send, event, event.deltaX * unit, event.deltaY * unit);
    },
    { passive: false },
  );
}

const bound = (value, most) => Math.max(-most, Math.min(most, value));

function scroll(picture, send, event, deltaX, deltaY) {
  const by = { deltaX: bound(deltaX, 10_000), deltaY: bound(deltaY, 10_000) };
  send({ type: 'wheel', ...placeOf(event, picture), ...by, modifiers: modifiersOf(event) });
}

/** The picture keeps its aspect ratio, so it may not fill its element. */
function placeOf({ clientX, clientY }, picture) {
  const box = picture.getBoundingClientRect();
  const scale = Math.min(box.width / picture.width, box.height / picture.height);
  const [width, height] = [picture.width * scale, picture.height * scale];
  const within = (value) => Math.max(0, Math.min(1, value));
  return {
    x: within((clientX - box.left - (box.width - width) / 2) / width),
    y: within((clientY - box.top - (box.height - height) / 2) / height),
  };
}

/** Counts presses at the same position in quick succession, because pointer events do not. */
function countClicks() {
  let last = { at: 0, x: 0, y: 0, button: -1 };
  let count = 0;
  return {
    down({ timeStamp: at, clientX: x, clientY: y, button }) {
      const isSame = button === last.button && Math.hypot(x - last.x, y - last.y) <= CLICK_DISTANCE;
      count = isSame && at - last.at <= CLICK_MS && count < 3 ? count + 1 : 1;
      last = { at, x, y, button };
      return count;
    },
    count: () => count || 1,
  };
}

/** A moving finger scrolls; a still one clicks. */
function takeTouches(picture, send, focus) {
  let touch;
  const press = (event, name, buttons) => {
    const rest = { button: name === 'move' ? 'none' : 'left', buttons, clicks: name === 'move' ? 0 : 1, modifiers: 0 };
    send({ type: 'mouse', event: name, ...placeOf(event, picture), ...rest });
  };
  return {
    down(event) {
      if (event.isPrimary) touch = { x: event.clientX, y: event.clientY, isScroll: false };
    },
    move(event) {
      if (!touch || !event.isPrimary) return;
      const [dx, dy] = [touch.x - event.clientX, touch.y - event.clientY];
      if (!touch.isScroll && Math.hypot(dx, dy) < TAP_DISTANCE) return;
      touch = { x: event.clientX, y: event.clientY, isScroll: true };
      scroll(picture, send, event, dx, dy);
    },
    up(event) {
      if (touch && event.isPrimary && !touch.isScroll) {
        focus();
        press(event, 'move', 0);
        press(event, 'down', 1);
        press(event, 'up', 0);
      }
      touch = undefined;
    },
    cancel() {
      touch = undefined;
    },
  };
}

// The live view: draws the pictures, shows the address of the page, and reconnects after an interruption.
// Titles and addresses of pages are shown as text, never as markup.

import { takePointer } from './input.js';
import { takeKeyboard } from './keyboard.js';

const RETRY_MS = [300, 1_000, 2_000, 4_000, 8_000];
const NOTICE_MS = 5_000;
const MAX_MESSAGE_BYTES = 4_000;

const root = document.documentElement;
const find = (id) => document.getElementById(id);
const [address, picture, notice] = ['address', 'picture', 'notice'].map(find);
const canvas = picture.getContext('2d', { alpha: false });
const { mode } = root.dataset;

const COVERS = {
  connecting: ['Connecting', ''],
  lost: ['The connection was lost', 'Trying again …'],
  empty: ['No page is open', 'Pages opened in the session appear here.'],
  ended: ['This session has ended', 'There is nothing left to see here.'],
  gone: ['There is no such session', 'It has ended, or the link is incomplete.'],
};
const STATES = {
  live: mode === 'control' ? 'Live' : 'Live, view only',
  lost: 'Reconnecting',
  empty: 'No page',
  ended: 'Ended',
  gone: 'Not found',
};

let socket;
let tries = 0;
let hasEnded = false;
let hidden;

function setState(state) {
  root.dataset.state = state;
  find('state-text').textContent = STATES[state] ?? 'Connecting';
  const [title, text] = COVERS[state] ?? [];
  if (title === undefined) return;
  find('cover-title').textContent = title;
  find('cover-text').textContent = text;
}

function say(text) {
  notice.textContent = text;
  notice.hidden = false;
  clearTimeout(hidden);
  hidden = setTimeout(() => {
    notice.hidden = true;
  }, NOTICE_MS);
}

function send(message) {
  if (socket?.readyState !== WebSocket.OPEN) return;
  const text = JSON.stringify(message);
  if (new TextEncoder().encode(text).length > MAX_MESSAGE_BYTES) say('The text is too long.');
  else socket.send(text);
}

/** A hidden page does not acknowledge pictures, so no more are sent. */
async function seen() {
  if (document.hidden) await new Promise((go) => document.addEventListener('visibilitychange', go, { once: true }));
}

async function draw(from, bytes) {
  const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' })).catch(() => undefined);
  if (bitmap) {
    if (picture.width !== bitmap.width || picture.height !== bitmap.height) {
      picture.width = bitmap.width;
      picture.height = bitmap.height;
    }
    canvas.drawImage(bitmap, 0, 0);
    bitmap.close();
    if (!hasEnded && from === socket) setState('live');
  }
  await seen();
  if (from === socket) send({ type: 'seen' });
}

function showPage({ address: place, title, canGoBack, canGoForward, pages }) {
  if (document.activeElement !== address) address.value = place;
  address.title = place;
  address.dataset.place = place;
  find('title').textContent = title;
  document.title = title === '' ? 'Live view' : `${title} – live view`;
  find('back').disabled = !canGoBack;
  find('forward').disabled = !canGoForward;
  find('close').hidden = mode !== 'control' || pages < 2;
  if (pages === 0) setState('empty');
}

function receive(from, { data }) {
  if (typeof data !== 'string') return draw(from, data);
  const message = JSON.parse(data);
  if (message.type === 'page') showPage(message);
  else if (message.type === 'notice') say(message.text);
  else if (message.type === 'copied') keyboard?.copied(message.text);
  else if (message.type === 'ended') end();
}

function end() {
  hasEnded = true;
  for (const button of document.querySelectorAll('button')) button.disabled = true;
  address.readOnly = true;
  setState(mode === 'gone' ? 'gone' : 'ended');
}

function connect() {
  const opened = new WebSocket(location.href.replace(/^http/, 'ws').replace(/[?#].*$/, ''));
  opened.binaryType = 'arraybuffer';
  opened.onopen = () => {
    tries = 0;
  };
  opened.onmessage = (event) => receive(opened, event);
  opened.onclose = retry;
  socket = opened;
}

async function retry() {
  if (hasEnded) return;
  setState('lost');
  await new Promise((go) => setTimeout(go, RETRY_MS[Math.min(tries, RETRY_MS.length - 1)]));
  tries += 1;
  // Browsers do not report why a WebSocket was refused.
  const answer = await fetch(location.href, { method: 'HEAD' }).catch(() => undefined);
  if (answer?.status === 404) end();
  else connect();
}

function takeToolbar() {
  address.readOnly = false;
  for (const type of ['back', 'forward', 'reload', 'close']) find(type).addEventListener('click', () => send({ type }));
  find('going').addEventListener('submit', (event) => {
    event.preventDefault();
    if (address.value.trim() === '') return;
    send({ type: 'go', address: address.value });
    keyboard.focus();
  });
  address.addEventListener('focus', () => address.select());
  address.addEventListener('blur', () => {
    address.value = address.dataset.place ?? '';
  });
  address.addEventListener('keydown', ({ key }) => key === 'Escape' && keyboard.focus());
}

const keyboard =
  mode === 'control' ? takeKeyboard(find('keyboard'), { send, say, leave: () => address.focus() }) : undefined;
if (keyboard) {
  takePointer(picture, { send, focus: keyboard.focus });
  takeToolbar();
}
if (mode === 'gone') end();
else connect();

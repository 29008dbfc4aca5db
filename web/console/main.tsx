// The entry of the console.
import './styles/console.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { keepFocus } from './shell/keep-focus.ts';

keepFocus();
render(<App />, document.getElementById('app')!);

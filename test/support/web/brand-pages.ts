// Pages of brands that do not exist, with what a designer would say about them, and pages that resist being measured.
import { reply, type Site } from './reply.ts';

const TEXT = '<p>We have done this for many years, with care, and we answer every letter that we get.</p>'.repeat(8);

/** Expected values by path in the answer. A missing key is `undefined`. */
export interface BrandPage {
  html: string;
  expected: Record<string, unknown>;
}

const shell = (head: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${head}</head><body>${body}</body></html>`;

export const BRAND_PAGES: Record<string, BrandPage> = {
  '/tea': {
    html: shell(
      `<title>Northleaf Tea | Loose leaf teas</title><meta property="og:site_name" content="Northleaf Tea">
      <link rel="icon" href="/tea.svg" type="image/svg+xml"><meta property="og:image" content="/share.png">
      <style>body{margin:0;background:#fffdf7;color:#2b2b2b;font:16px/1.6 "Source Serif 4",Georgia,serif}
      h1,h2{font-family:"Playfair Display",serif;color:#1f5c3d;font-weight:700}h1{font-size:48px;line-height:1.2}h2{font-size:32px}
      header{background:#1f5c3d;height:80px;padding:0 24px;display:flex;gap:24px;align-items:center}header a{color:#fff}
      main{max-width:1120px;margin:0 auto;padding:32px 24px}p{margin:16px 0}main a{color:#1f5c3d}
      .btn{display:inline-block;padding:12px 24px;border-radius:8px;transition:background .2s ease-in-out}
      .primary{background:#c8102e;color:#fff!important}.secondary{border:1px solid #1f5c3d;color:#1f5c3d}
      footer{background:#14402a;color:#dfe9e3;padding:48px 24px;height:104px}
      .grid{display:grid;grid-template-columns:repeat(3,1fr);gap:24px}.card{border:1px solid #ddd;border-radius:8px;padding:16px}</style>`,
      `<header><a href="/" class="site-logo"><img src="/logo.png" alt="Northleaf Tea logo" width="120" height="40"></a><a href="/shop">Shop</a><a href="/about">About</a></header>
      <main><h1>Tea from small gardens</h1>${TEXT}<p>Read <a href="/how">how we choose our growers and why it takes so long</a>.</p>
      <a class="btn primary" href="/shop">Shop all teas</a> <a class="btn secondary" href="/story">Our story</a>
      <h2>Favourites</h2><div class="grid"><div class="card">One leaf</div><div class="card">Two leaves</div><div class="card">A bud</div></div></main><footer>Northleaf Tea, Harbour Street 1</footer>`,
    ),
    expected: {
      colorScheme: 'light',
      brandName: 'Northleaf Tea',
      logo: '/logo.png',
      'colors.primary': '#1F5C3D',
      'colors.accent': '#C8102E',
      'colors.background': '#FFFDF7',
      'colors.textPrimary': '#2B2B2B',
      'colors.link': '#1F5C3D',
      'typography.fontFamilies.primary': 'Source Serif 4',
      'typography.fontFamilies.heading': 'Playfair Display',
      'typography.fontSizes.h1': '48px',
      'typography.fontSizes.body': '16px',
      'typography.lineHeights.body': 1.6,
      'typography.fontWeights.h1': 700,
      'spacing.baseUnit': 8,
      'spacing.gridGutter': 24,
      'spacing.borderRadius': '8px',
      'components.buttonPrimary.background': '#C8102E',
      'components.buttonPrimary.textColor': '#FFFFFF',
      'components.buttonPrimary.borderRadius': '8px',
      'components.buttonPrimary.borderColor': undefined,
      'components.buttonSecondary.background': 'transparent',
      'components.buttonSecondary.borderColor': '#1F5C3D',
      'images.favicon': '/tea.svg',
      'images.ogImage': '/share.png',
      'images.logoAlt': 'Northleaf Tea logo',
      'layout.grid.columns': 3,
      'layout.grid.maxWidth': '1120px',
      'layout.headerHeight': '80px',
      'layout.footerHeight': '200px',
      'animations.transitionDuration': '0.2s',
      'animations.easing': 'ease-in-out',
      personality: undefined,
      tone: undefined,
    },
  },
  '/dark': {
    html: shell(
      `<title>Kestrel - Logs that answer</title><style>:root{--color-primary:#7c5cff;--color-success:#22c55e;--color-error:#ef4444}
      *{box-sizing:border-box}body{margin:0;background:#0b0d17;color:#c9cbd6;font:400 16px/24px __Inter_a1b2c3,__Inter_Fallback_a1b2c3,sans-serif}
      h1{font-size:64px;line-height:72px;font-weight:600;color:#fff}code{font-family:"JetBrains Mono",monospace;font-size:14px}
      .hero{background:linear-gradient(120deg,#7c5cff,#00d4ff);height:360px;padding:48px}
      button{background:#7c5cff;color:#fff;border:0;border-radius:9999px;padding:12px 20px;box-shadow:0 4px 12px rgba(124,92,255,.4)}
      .muted{color:#6b7080;font-size:14px}input{background:#141726;border:1px solid #2a2e45;border-radius:12px;color:#fff;padding:12px;width:240px}
      nav a{color:#c9cbd6}nav svg{fill:#7c5cff}</style>`,
      `<nav><a href="/" aria-label="Kestrel"><svg class="mark" width="96" height="32" viewBox="0 0 96 32"><use href="#kestrel"></use></svg></a> <a href="/docs">Docs</a></nav>
      <svg style="display:none"><symbol id="kestrel" viewBox="0 0 96 32"><path d="M0 0h96v32z"></path></symbol></svg>
      <div class="hero"><h1>Ask your logs</h1></div>${TEXT}<p class="muted">No credit card is needed, and you can leave at any time you like, with all of your data.</p>
      <p><code>kestrel tail --since yesterday</code></p><form><input type="email" placeholder="you@example.com"><button type="submit">Start free</button></form>`,
    ),
    expected: {
      colorScheme: 'dark',
      brandName: 'Kestrel',
      logo: 'data:image/svg+xml;base64,',
      'colors.primary': '#7C5CFF',
      'colors.background': '#0B0D17',
      'colors.textPrimary': '#C9CBD6',
      'colors.textSecondary': '#6B7080',
      'colors.success': '#22C55E',
      'colors.error': '#EF4444',
      'typography.fontFamilies.primary': 'Inter',
      'typography.fontFamilies.code': 'JetBrains Mono',
      'typography.fontStacks.primary': ['Inter', 'sans-serif'],
      'typography.fontSizes.small': '14px',
      'components.buttonPrimary.background': '#7C5CFF',
      'components.input.background': '#141726',
      'components.input.borderColor': '#2A2E45',
      'components.input.borderRadius': '12px',
    },
  },
  '/mono': {
    html: shell(
      `<title>Plain &amp; Sons</title><style>body{margin:0;background:#fff;color:#111;font:18px/1.5 Helvetica,Arial,sans-serif}a{color:#111}
      button{border:2px solid #111;background:#fff;color:#111;padding:8px 16px}button.primary{background:#111;color:#fff}</style>`,
      `<header><a class="brand" href="/">Plain &amp; Sons</a></header><h1>Chairs</h1>${TEXT}<button class="primary">Order a chair</button><button>Ask us</button>
      <div id="cookie-bar" style="position:fixed;bottom:0;background:#0a0">Cookies? <button class="primary" style="background:#0a0;padding:20px">Accept all</button></div>`,
    ),
    expected: {
      colorScheme: 'light',
      logo: undefined,
      'colors.primary': '#111111',
      'colors.secondary': undefined,
      'colors.accent': undefined,
      'components.buttonPrimary.background': '#111111',
      'components.buttonSecondary.background': '#FFFFFF',
      'components.buttonSecondary.borderColor': '#111111',
      'components.buttonPrimary.borderRadius': '0px',
    },
  },
  '/news': {
    html: shell(
      `<title>Harbour closed after storm - The Daily Ledger</title><style>body{margin:0;background:#fff;color:#222;font:17px/1.7 Georgia,serif}
      h1,h2{font-family:"Helvetica Neue",Arial,sans-serif}header{background:#b80000;padding:12px}header img{height:32px;width:160px}a{color:#0645ad}
      .customers img{width:120px;height:40px}</style>`,
      `<header><a href="/en/"><img src="/ledger.svg" alt="The Daily Ledger"></a></header><article><header><h1>Harbour closed after storm</h1></header>${TEXT}
      <p>More about <a href="/storm">the storm that closed the harbour for three days last year</a>.</p></article>
      <section class="customers"><a href="/c"><img src="/logo-of-another.png" alt="Another logo"></a></section>`,
    ),
    expected: {
      brandName: 'The Daily Ledger',
      logo: '/ledger.svg',
      'colors.primary': '#B80000',
      'colors.link': '#0645AD',
      'colors.accent': '#0645AD',
      'typography.fontFamilies.primary': 'Georgia',
      'typography.fontFamilies.heading': 'Helvetica Neue',
      components: undefined,
    },
  },
  '/modern': {
    html: shell(
      `<title>Signals for teams · Brightwater</title><meta name="theme-color" content="#0f4c81">
      <style>body{margin:0;background:oklch(0.99 0.003 250);color:oklch(0.3 0.02 260);font-family:"DM Sans",sans-serif}
      header,.band{background:#0f4c81;color:white}.band{height:500px}.cta{background:color(srgb 1 0.42 0.21);color:#fff;border-radius:6px;padding:14px 28px;display:inline-block}
      .tab{background:#eee;padding:8px 12px}</style>`,
      `<header role="banner"><bw-logo></bw-logo></header><div class="band"><h1>Signals</h1><a class="cta" href="/start">Start now</a></div>${TEXT}
      <button class="tab">Overview</button><button class="tab">Details</button><button class="tab">Prices</button>
      <script>customElements.define("bw-logo", class extends HTMLElement { constructor() { super(); this.attachShadow({mode:"open"}).innerHTML =
        '<a href="/"><svg width="140" height="36" viewBox="0 0 140 36"><title>Brightwater</title><rect width="140" height="36" style="fill:#38bdf8"/></svg></a>' } })</script>`,
    ),
    expected: {
      brandName: 'Brightwater',
      logo: 'data:image/svg+xml;base64,',
      'colors.primary': '#0F4C81',
      'colors.accent': '#FF6B36',
      'components.buttonPrimary.background': '#FF6B36',
      'components.buttonPrimary.borderRadius': '6px',
    },
  },
  '/bare': {
    html: shell('<title>Notes</title>', TEXT),
    expected: {
      colorScheme: 'light',
      'colors.background': '#FFFFFF',
      'colors.textPrimary': '#000000',
      logo: undefined,
      components: undefined,
      images: undefined,
      icons: undefined,
      animations: undefined,
      brandName: undefined,
    },
  },
};

const MANY = '<i>x</i>'.repeat(100_000);

/** Pages that make it hard to measure them. */
export const HOSTILE_BRAND_PAGES: Record<string, string> = {
  '/many': shell('<style>body{background:#123456;color:#fff}</style>', `<p>Many.</p>${MANY}`),
  '/deep': shell('<style>body{background:#123456;color:#fff}</style>', `${'<div>'.repeat(5_000)}deep`),
  '/overridden': shell(
    '<style>body{background:#123456;color:#fff}</style>',
    `${TEXT}<script>
      const fail = () => { throw new Error('no') };
      for (const type of [Node, Element, HTMLElement, Document, CSSStyleDeclaration, Array, Map, String, Object])
        for (const name of Object.getOwnPropertyNames(type.prototype))
          try { if (name !== 'constructor') Object.defineProperty(type.prototype, name, { get: fail, configurable: true }); } catch {}
      window.getComputedStyle = fail; JSON.stringify = fail; performance.now = fail;</script>`,
  ),
  '/clobbered': shell(
    '<style>body{background:#123456;color:#fff}</style>',
    `<img name="body" src="data:,"><img name="documentElement" src="data:,"><img name="querySelectorAll" src="data:,"><img name="implementation" src="data:,">
     <form><input name="firstChild"><input name="localName"><input name="getAttribute"><input name="parentElement"><input name="style"><input name="shadowRoot"><button style="background:red">Send it</button></form>${TEXT}`,
  ),
  '/huge-logo': shell(
    '<style>body{background:#123456;color:#fff}</style>',
    `<header><a href="/"><svg class="logo" width="100" height="30"><path d="M0 0${'L1 1'.repeat(2_500_000)}"></path></svg></a>
     <a href="/"><img class="logo" alt="Small" width="90" height="30" src="data:image/png;base64,${'A'.repeat(3_000_000)}"></a></header>${TEXT}`,
  ),
  '/busy': shell(
    '<style>body{background:#123456;color:#fff}@keyframes a{to{background:#345678}}i{animation:a 1s infinite}</style>',
    `${TEXT}<div id="box">${'<i>busy</i>'.repeat(100)}</div><script>setInterval(() => { for (const i of box.children) { i.style.width = Math.random() * 100 + 'px'; i.offsetWidth; } }, 30);
     new ResizeObserver(() => { box.style.width = Math.random() * 100 + 'px' }).observe(box)</script>`,
  ),
  '/values': shell(
    `<style>:root{--primary:${'x'.repeat(100_000)};${Array.from({ length: 6_000 }, (_, at) => `--c${at}-primary:red;`).join('')}}
     body{background:#123456;color:#fff;font-family:${Array.from({ length: 5_000 }, (_, at) => `f${at}`).join()};box-shadow:${'0 0 1px red,'.repeat(2_000)}0 0 1px red}</style>`,
    `<button style="box-shadow:${'0 0 1px red,'.repeat(5_000)}0 0 1px red;background:conic-gradient(${'red,'.repeat(9_000)}red)">${'Long '.repeat(100_000)}</button>${TEXT}`,
  ),
};

export const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export const brandSite: Site = {
  ...Object.fromEntries(Object.entries(BRAND_PAGES).map(([path, { html }]) => [path, reply(html)])),
  ...Object.fromEntries(Object.entries(HOSTILE_BRAND_PAGES).map(([path, html]) => [path, reply(html)])),
  '/logo.png': reply(PICTURE, { type: 'image/png' }),
};

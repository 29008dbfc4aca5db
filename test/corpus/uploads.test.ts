// Parsing an uploaded file makes no requests, even on a service that may reach the canary.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chapter, odfXml, officeFile, paragraph, relationships, wordXml } from '../support/hostile/hostile-base.ts';
import { CANARY_TEXT, openStage, SITE_ADDRESS, type Stage } from './stage.ts';

let stage: Stage;
before(async () => {
  // The canary is allowed here, so only the no-requests rule protects it.
  stage = await openStage(`${SITE_ADDRESS}, 127.0.0.1, ::1, localhost`);
});
after(() => stage.stop());

const image =
  '<w:drawing><a:blip xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" r:link="r9"/></w:drawing>';

/** Files that refer to an address in every way that might make a program load it. */
const FILES: Record<string, (target: string) => string | Uint8Array> = {
  'page.html': (
    target,
  ) => `<!doctype html><html><head><base href="${target}"><link rel="stylesheet" href="${target}s.css">
    <link rel="icon" href="${target}i.ico"><link rel="canonical" href="${target}c"><script src="${target}s.js"></script>
    <meta http-equiv="refresh" content="0; url=${target}r"><style>@import "${target}i.css"; p { background: url(${target}b) }</style>
    </head><body onload="fetch('${target}f')"><p>Words in a page that names many things it would like to have loaded.</p>
    <img src="${target}p.png" srcset="${target}2.png 2x"><iframe src="${target}f.html"></iframe><object data="${target}o"></object>
    <embed src="${target}e"><video src="${target}v.mp4" poster="${target}v.png"></video><audio src="${target}a.mp3"></audio>
    <form action="${target}post"></form><a href="${target}l" ping="${target}ping">link</a></body></html>`,
  'drawing.svg': (target) =>
    `<?xml version="1.0"?><?xml-stylesheet href="${target}s.css"?><!DOCTYPE svg [<!ENTITY x SYSTEM "${target}x">]>
    <svg xmlns="http://www.w3.org/2000/svg"><image href="${target}i.png"/><text>&x; words</text></svg>`,
  'feed.xml': (target) =>
    `<?xml version="1.0"?><!DOCTYPE rss SYSTEM "${target}dtd" [<!ENTITY x SYSTEM "${target}x">]>
    <rss version="2.0"><channel><title>&x; Feed</title><link>${target}</link><item><title>One</title><link>${target}1</link></item></channel></rss>`,
  'notes.md': (target) => `# Notes\n\n![picture](${target}p.png) [link](${target}) <img src="${target}q.png">\n`,
  'letter.eml': (target) =>
    `From: a@a.test\r\nTo: b@b.test\r\nSubject: Words\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>Words <img src="${target}p.png"><iframe src="${target}f"></iframe>\r\n--b\r\nContent-Type: message/external-body; access-type=URL; URL="${target}body"\r\n\r\nContent-Type: text/plain\r\n\r\n--b--\r\n`,
  'book.ipynb': (target) =>
    JSON.stringify({
      nbformat: 4,
      nbformat_minor: 5,
      metadata: {},
      cells: [
        { cell_type: 'markdown', metadata: {}, source: [`Words ![picture](${target}p.png) <img src="${target}q">`] },
      ],
    }),
  'words.rtf': (target) =>
    `{\\rtf1\\ansi{\\*\\template ${target}t.dot}{\\field{\\*\\fldinst INCLUDEPICTURE "${target}p.png"}{\\fldrslt Words}}}`,
  'words.docx': (target) =>
    officeFile('docx', {
      'word/document.xml': wordXml(`${paragraph('Words.')}<w:p><w:r>${image}</w:r></w:p><w:altChunk r:id="r8"/>`),
      'word/_rels/document.xml.rels': relationships([
        { id: 'r9', type: 'image', target: `${target}p.png`, isExternal: true },
        { id: 'r8', type: 'aFChunk', target: `${target}c.html`, isExternal: true },
        { id: 'r7', type: 'attachedTemplate', target: `${target}t.dotm`, isExternal: true },
      ]),
      'word/settings.xml': `<w:settings xmlns:w="x"><w:attachedTemplate r:id="r7"/></w:settings>`,
    }),
  'words.odt': (target) =>
    officeFile('odt', {
      'content.xml': odfXml(
        `<text:p>Words <draw:frame><draw:image xlink:href="${target}p.png"/></draw:frame><draw:frame><draw:object xlink:href="${target}o.odt"/></draw:frame></text:p><text:section><text:section-source xlink:href="${target}s.odt"/></text:section>`,
        'text',
        `<!DOCTYPE x SYSTEM "${target}dtd">`,
      ),
    }),
  'book.epub': (target) =>
    officeFile('epub', {
      'c.xhtml': chapter(
        `<p>Words</p><img src="${target}p.png"/><script src="${target}s.js"></script>`,
        `<!DOCTYPE html SYSTEM "${target}dtd" [<!ENTITY x SYSTEM "${target}x">]>`,
      ),
    }),
};

const upload = async (name: string, content: string | Uint8Array) => {
  const form = new FormData();
  form.append('options', JSON.stringify({ formats: ['markdown', 'html', 'links', 'images', 'rawHtml'] }));
  form.append('file', new File([Buffer.from(content)], name));
  const response = await (await stage.service()).fetch('/v2/parse', { method: 'POST', body: form });
  return { status: response.status, text: await response.text() };
};

for (const [name, write] of Object.entries(FILES)) {
  test(`${name} is parsed without fetching what it refers to`, async () => {
    for (const host of ['127.0.0.1', '[::1]', 'localhost']) {
      const { status, text } = await upload(name, write(`http://${host}:${stage.port}/`));
      assert.equal(status, 200, text);
      assert.match(text, /words|notes|feed/i);
      assert.ok(!text.includes(CANARY_TEXT));
    }
    assert.deepEqual(stage.caught, []);
  });
}

test('the placeholder URL of an uploaded file cannot be scraped', async () => {
  const service = await stage.service();
  const { body } = await service.scrape({ url: 'https://upload.invalid/page.html', maxAge: 0 });
  assert.equal(body.success, false);
});

test('control: a scrape reaches the same addresses', async () => {
  const service = await stage.service();
  const { body } = await service.scrape({ url: `http://127.0.0.1:${stage.port}/`, formats: ['rawHtml'], maxAge: 0 });
  assert.deepEqual([(body.data as { rawHtml: string }).rawHtml, stage.caught.length], [CANARY_TEXT, 1]);
});

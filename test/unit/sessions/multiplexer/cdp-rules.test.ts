import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideCommand } from '../../../../src/sessions/multiplexer/cdp-rules.ts';

const verdict = (method: string, params = {}) => decideCommand(method, params).verdict;

test('what Playwright and Puppeteer need passes unchanged', () => {
  for (const method of [
    'Browser.getVersion',
    'DOM.getDocument',
    'Emulation.setDeviceMetricsOverride',
    'Fetch.enable',
    'Input.dispatchMouseEvent',
    'Network.enable',
    'Page.captureScreenshot',
    'Page.printToPDF',
    'Page.setBypassCSP',
    'Runtime.evaluate',
    'Storage.getCookies',
    'Target.attachToTarget',
    'Target.setAutoAttach',
  ]) {
    assert.deepEqual(decideCommand(method, { some: 'thing' }), { verdict: 'pass', params: { some: 'thing' } }, method);
  }
});

test('methods that reach files, other programs or this machine are refused', () => {
  for (const method of [
    'DOM.setFileInputFiles',
    'DOM.getFileInfo',
    'Page.handleFileChooser',
    'Page.crash',
    'Browser.crash',
    'Browser.crashGpuProcess',
    'Browser.getBrowserCommandLine',
    'Browser.executeBrowserCommand',
    'SystemInfo.getInfo',
    'SystemInfo.getProcessInfo',
    'Tracing.start',
    'Tracing.end',
    'Target.exposeDevToolsProtocol',
    'Target.sendMessageToTarget',
    'Target.setRemoteLocations',
    'Network.loadNetworkResource',
    'Network.continueInterceptedRequest',
    'HeadlessExperimental.beginFrame',
    'Extensions.loadUnpacked',
    'PWA.install',
    'Tethering.bind',
    'FileSystem.getDirectory',
    'Memory.forciblyPurgeJavaScriptMemory',
    'IO.resolveBlob',
    'Nothing.known',
    '',
    'constructor',
    '__proto__',
  ]) {
    assert.equal(verdict(method), 'refuse', method);
  }
});

test('navigation is limited to http, https, data and about:blank', () => {
  const navigations = ['Page.navigate', 'Target.createTarget', 'Fetch.continueRequest'];
  for (const method of navigations) {
    for (const url of ['http://a.test/', 'HTTPS://a.test', 'data:text/html,x', 'about:blank']) {
      assert.equal(verdict(method, { url }), 'pass', `${method} ${url}`);
    }
    for (const url of [
      'file:///etc/passwd',
      ' FILE:///etc/passwd',
      'fi\tle:///etc/passwd',
      'chrome://version',
      'devtools://devtools/bundled/inspector.html',
      'view-source:http://a.test/',
      'view-source:file:///etc/passwd',
      'javascript:alert(1)',
      'blob:http://a.test/1',
      'filesystem:http://a.test/temporary/x',
      'ftp://a.test/',
      'about:version',
      'about:blank/../version',
      '//a.test',
      ['http://a.test/'],
      7,
    ]) {
      assert.equal(verdict(method, { url }), 'refuse', `${method} ${url}`);
    }
  }
  assert.equal(verdict('Page.navigate'), 'refuse');
  assert.equal(verdict('Page.navigate', { url: '' }), 'refuse');
  assert.equal(verdict('Target.createTarget', { url: '' }), 'pass');
  assert.equal(verdict('Fetch.continueRequest', { requestId: '1' }), 'pass');
});

test('downloads are denied whatever the client asks for', () => {
  const asked = { behavior: 'allowAndName', downloadPath: '/etc', browserContextId: 'A', eventsEnabled: true };
  assert.deepEqual(decideCommand('Browser.setDownloadBehavior', asked), {
    verdict: 'pass',
    params: { behavior: 'deny', browserContextId: 'A', eventsEnabled: true },
  });
  assert.deepEqual(decideCommand('Page.setDownloadBehavior', { behavior: 'allow', downloadPath: '/etc' }), {
    verdict: 'pass',
    params: { behavior: 'deny' },
  });
});

test('a browser context cannot have its own proxy or extra rights', () => {
  assert.deepEqual(decideCommand('Target.createBrowserContext', { disposeOnDetach: true, proxyServer: undefined }), {
    verdict: 'pass',
    params: { disposeOnDetach: true },
  });
  for (const params of [
    { proxyServer: 'http://1.2.3.4:80' },
    { proxyServer: '' },
    { proxyBypassList: '*' },
    { originsWithUniversalNetworkAccess: ['http://a.test'] },
    { somethingNew: true },
  ]) {
    assert.equal(verdict('Target.createBrowserContext', params), 'refuse', JSON.stringify(params));
  }
});

test('only numbered streams can be read', () => {
  assert.equal(verdict('IO.read', { handle: '12' }), 'pass');
  for (const handle of ['blob:1', '/etc/passwd', '../1', '', undefined, '1 2']) {
    assert.equal(verdict('IO.read', { handle }), 'refuse', String(handle));
  }
});

test('files cannot be dropped on a page', () => {
  assert.equal(verdict('Input.dispatchDragEvent', { data: { items: [] } }), 'pass');
  assert.equal(verdict('Input.dispatchDragEvent', { data: { items: [], files: ['/etc/passwd'] } }), 'refuse');
});

test('permissions are granted unless they reveal something about this machine', () => {
  assert.equal(verdict('Browser.grantPermissions', { permissions: ['geolocation', 'clipboardReadWrite'] }), 'pass');
  assert.equal(verdict('Browser.grantPermissions', { permissions: ['geolocation', 'localFonts'] }), 'refuse');
  assert.equal(verdict('Browser.grantPermissions', {}), 'refuse');
  assert.equal(verdict('Browser.setPermission', { permission: { name: 'geolocation' } }), 'pass');
  assert.equal(verdict('Browser.setPermission', { permission: { name: 'local-fonts' } }), 'refuse');
  assert.equal(verdict('Browser.setPermission', { permission: null }), 'refuse');
});

test('closing the browser only disconnects the client', () => {
  assert.deepEqual(decideCommand('Browser.close', {}), { verdict: 'leave' });
});

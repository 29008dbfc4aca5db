import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { readConfig } from '../../../../src/config/settings.ts';
import { defaultDataFolder } from '../../../../src/config/storage/data-folder.ts';

const machine = (platform: NodeJS.Platform) => ({ isPackage: true, platform, home: () => '/home/ada' });

test('a checkout has its data in the current folder, whatever the user has set for other programs', () => {
  assert.equal(readConfig({ XDG_DATA_HOME: '/data' }).dataDir, resolve('.trawl'));
});

test('TRAWL_DATA_DIR is taken relative to the current folder', () => {
  assert.equal(readConfig({ TRAWL_DATA_DIR: 'here' }).dataDir, resolve('here'));
});

test('the npm package has its data in the folder that the system has for it', () => {
  assert.equal(defaultDataFolder({}, machine('linux')), '/home/ada/.local/share/trawl');
  assert.equal(defaultDataFolder({ XDG_DATA_HOME: '/data' }, machine('linux')), '/data/trawl');
  assert.equal(defaultDataFolder({}, machine('darwin')), '/home/ada/Library/Application Support/trawl');
  assert.equal(defaultDataFolder({ LOCALAPPDATA: '/local' }, machine('win32')), '/local/trawl');
});

test('a user without a home folder is told what to set', () => {
  const home = () => {
    throw new Error('uv_os_homedir returned ENOENT');
  };
  assert.throws(() => defaultDataFolder({}, { ...machine('linux'), home }), /Set TRAWL_DATA_DIR/);
  assert.equal(defaultDataFolder({ XDG_DATA_HOME: '/data' }, { ...machine('linux'), home }), '/data/trawl');
});

test('a relative XDG_DATA_HOME is ignored, as its specification says', () => {
  assert.equal(defaultDataFolder({ XDG_DATA_HOME: 'data' }, machine('linux')), '/home/ada/.local/share/trawl');
});

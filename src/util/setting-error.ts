// A setting that cannot be parsed. The message says what is wrong with the value; config adds the name of the setting.

export class SettingError extends Error {}

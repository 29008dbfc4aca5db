// Another process has the session of a scrape, so it must be asked instead. Callers never see this.

export class OpenElsewhere extends Error {
  readonly processId: string;

  constructor(processId: string) {
    super('Another process has the session of this scrape.');
    this.name = 'OpenElsewhere';
    this.processId = processId;
  }
}
